/** A Markdown table as Prettier formats it. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) =>
    Math.max(3, ...[name, ...rows.map((row) => row[at] ?? '')].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Puts texts between the marks `<!-- name -->` and `<!-- end of name -->` of a page. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  let text = page;
  for (const [name, table] of Object.entries(tables)) {
    const [before, rest = ''] = text.split(`<!-- ${name} -->`);
    const [, after] = rest.split(`<!-- end of ${name} -->`);
    if (after === undefined) throw new Error(`the page has no place for the table "${name}"`);
    text = `${before ?? ''}<!-- ${name} -->\n\n${table}\n\n<!-- end of ${name} -->${after}`;
  }
  return text;
}

export const code = (text: string) => `\`${text}\``;
