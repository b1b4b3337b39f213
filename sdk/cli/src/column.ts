/** A column of a table: its title, and where its value is, the first place that has one. */
export interface Column {
  title: string;
  paths: readonly (readonly string[])[];
}

/** A column as `title=a.b|c` writes it. */
export function readColumn(text: string): Column {
  const [title = '', places = title] = text.split('=');
  const paths = places.split('|').map((path) => path.split('.'));
  return { title: title.replace(/\|.*/, ''), paths };
}
