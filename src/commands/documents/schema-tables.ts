import { readFileSync, readdirSync } from 'node:fs';
import { code } from './table.ts';

const folder = new URL('../../platform/database/migrations/', import.meta.url);
const tablePattern = /^create (?:unlogged )?table (\w+) \(\n([^]*?)\n\)/gm;
const alterationPattern = /^alter table (\w+)([^;]*);/gm;
const changePattern = /(add|drop|rename) column (\w+)(?: to (\w+))?/g;
const commentPattern = /^comment on table (\w+) is '((?:[^']|'')*)';/gm;
/** Lines of a table are indented by two spaces; those of constraints begin with a keyword. */
const columnPattern = /^ {2}(?!(?:primary|unique|foreign|constraint|check|exclude) )(\w+) /gm;

export interface SchemaTable {
  name: string;
  /** The latest comment of the table. */
  purpose: string;
  columns: readonly string[];
}

/** Tables that the migrations make, partitions left out, in order. */
export function readSchemaTables(): SchemaTable[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const text = files
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  const purposes = new Map(
    [...text.matchAll(commentPattern)].map(([, name, purpose = '']) => [name, purpose]),
  );
  const alterations = [...text.replaceAll(/--.*$/gm, '').matchAll(alterationPattern)];
  return [...text.matchAll(tablePattern)].map(([, name = '', body = '']) => {
    const purpose = purposes.get(name)?.replaceAll("''", "'");
    if (purpose === undefined) throw new Error(`the table ${name} needs a \`comment on table\``);
    let columns = [...body.matchAll(columnPattern)].map(([, column = '']) => column);
    for (const [, table, changes = ''] of alterations) {
      if (table === name) columns = afterChanges(columns, changes);
    }
    return { name, purpose, columns };
  });
}

/** The columns of a table after the changes of one `alter table`. */
function afterChanges(columns: readonly string[], changes: string): string[] {
  let after = [...columns];
  for (const [, verb, column = '', name = ''] of changes.matchAll(changePattern)) {
    if (verb === 'add') after.push(column);
    else if (verb === 'drop') after = after.filter((one) => one !== column);
    else after = after.map((one) => (one === column ? name : one));
  }
  return after;
}

/** The list of docs/generated/tables.md: each table with its purpose and columns. */
export function schemaTables(): Record<string, string> {
  const entries = readSchemaTables().map(({ name, purpose, columns }) =>
    [`### ${code(name)}`, sentence(purpose), `Columns: ${columns.map(code).join(', ')}`].join(
      '\n\n',
    ),
  );
  return { tables: entries.join('\n\n') };
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
