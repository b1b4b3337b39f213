import { readFileSync, readdirSync } from 'node:fs';
import { code } from './table.ts';

const folder = new URL('../../platform/database/migrations/', import.meta.url);
const tablePattern = /^create (?:unlogged )?table (\w+) \(\n([^]*?)\n\)/gm;
const alterationPattern = /^alter table (\w+)([^;]*);/gm;
const additionPattern = /^\s*add column (\w+) /gm;
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
  const added = new Map<string, string[]>();
  for (const [, name = '', changes = ''] of text
    .replaceAll(/--.*$/gm, '')
    .matchAll(alterationPattern)) {
    const columns = [...changes.matchAll(additionPattern)].map(([, column = '']) => column);
    added.set(name, [...(added.get(name) ?? []), ...columns]);
  }
  return [...text.matchAll(tablePattern)].map(([, name = '', body = '']) => {
    const purpose = purposes.get(name)?.replaceAll("''", "'");
    if (purpose === undefined) throw new Error(`the table ${name} needs a \`comment on table\``);
    const columns = [...body.matchAll(columnPattern)].map(([, column = '']) => column);
    return { name, purpose, columns: [...columns, ...(added.get(name) ?? [])] };
  });
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
