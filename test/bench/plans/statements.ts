import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A statement of the product, with its text as Postgres received it. */
export interface Statement {
  text: string;
  /** The text without values, by which statements are compared. */
  shape: string;
}

const hasPlan = /^(select|insert|update|delete|with|merge|values)\b/i;

/** The statements of API and workers in the JSON logs of a server with log_statement = all. */
export async function readStatements(directory: string): Promise<Statement[]> {
  const found = new Map<string, Statement>();
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.json')) continue;
    const lines = createInterface({ input: createReadStream(join(directory, name)) });
    for await (const line of lines) {
      const text = textOf(line);
      if (text === undefined) continue;
      const shape = shapeOf(text);
      if (!found.has(shape)) found.set(shape, { text, shape });
    }
  }
  return [...found.values()].sort((a, b) => (a.shape < b.shape ? -1 : 1));
}

function textOf(line: string): string | undefined {
  // Most lines are of the tests themselves.
  if (!line.includes('"application_name":"onward-')) return undefined;
  const { application_name: by, message } = parse(line);
  if (by !== 'onward-api' && by !== 'onward-worker') return undefined;
  const [, text = ''] = /^(?:execute [^:]*|statement): ([^]*)$/.exec(message) ?? [];
  const statement = text.trim();
  return hasPlan.test(statement) ? statement : undefined;
}

function parse(line: string): { application_name: string; message: string } {
  return { application_name: '', message: '', ...JSON.parse(line) };
}

/** One line without values: lists of parameters and repeated parts have one form each. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, (literal) => (/\d/.test(literal) ? "'?'" : literal))
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/(?<![\w"])\d+(?![\w"])/g, '0')
    .replaceAll(/(\$(?:::[a-z0-9[\] ]+)?)(?:, ?\1)+/g, '$1')
    .replaceAll(/(\([^()]*\))(?:, ?\1)+/g, '$1')
    .trim();
}
