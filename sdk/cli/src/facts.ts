import { facts } from './generated/facts.ts';

/** A field of a body as somebody types it. */
export interface Field {
  typed: string;
  isRequired: boolean;
  type: string;
  description: string;
}

/** Content of the help and of the tables of an operation, from its OpenAPI document. */
export interface Facts {
  /** Arguments of an example. */
  example: string;
  fields: readonly Field[];
  filters: readonly string[];
  sorts: readonly string[];
  includes: readonly string[];
  /** Other parameters of the query. */
  queries: readonly string[];
  /** Columns of its list. */
  columns: readonly string[];
}

/** Parsed for one operation alone: the text has all of them. */
export function factsOf(operationId: string): Facts {
  const head = `\n${operationId}\n`;
  const at = facts.indexOf(head);
  const [own = ''] = at < 0 ? [] : facts.slice(at + head.length).split(/\n(?!\w\t)/, 1);
  const lines = own.split('\n').map((line) => line.split('\t'));
  const all = (letter: string) =>
    lines.flatMap(([first, ...rest]) => (first === letter ? [rest] : []));
  return {
    example: all('e')[0]?.[0] ?? '',
    fields: all('f').map(([typed = '', required, type = '', description = '']) => ({
      ...{ typed, type, description },
      isRequired: required === '*',
    })),
    filters: all('w').flat(),
    sorts: all('s').flat(),
    includes: all('i').flat(),
    queries: all('q').flat(),
    columns: all('c').flat(),
  };
}
