import type { Document, Operation, Schema } from '../document.ts';
import { formOf } from './types.ts';

const maxColumns = 7;

/**
 * Columns for people of a list that declares none: what identifies a row, how it stands, counts and
 * a time. Ids of other resources come last, since they say little.
 */
export function columnsOf(operation: Operation, document: Document): string[] {
  const properties = Object.entries(itemOf(operation, document)?.properties ?? {});
  const kinds = properties.map(([name, schema]) => ({
    name,
    kind: kindOf(name, schema, document),
  }));
  const pick = (kind: Kind, count: number) =>
    kinds.flatMap((one) => (one.kind === kind ? [one.name] : [])).slice(0, count);
  const times = pick('time', 20);
  const time = times.includes('inserted_at') ? 'inserted_at' : times[0];
  const chosen = [
    ...[...pick('id', 2), ...pick('text', 2), ...pick('state', 2), ...pick('number', 2)],
    ...[...pick('flag', 1), ...(time === undefined ? [] : [time]), ...pick('reference', 1)],
  ];
  return chosen.slice(0, maxColumns);
}

type Kind = 'id' | 'text' | 'state' | 'number' | 'flag' | 'time' | 'reference' | 'other';

function kindOf(name: string, property: Schema, document: Document): Kind {
  const { type, format, enum: values, const: constant } = formOf(property, document).schema;
  if (name === 'id' || name === 'index') return 'id';
  if (name === 'team_id' || constant !== undefined) return 'other';
  if (values) return 'state';
  if (format === 'uuid') return 'reference';
  if (format === 'date-time') return 'time';
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'flag' : 'other';
}

/** The schema of a row of a list; undefined for other answers. */
export function itemOf({ answers }: Operation, document: Document): Schema | undefined {
  const [answer] = answers.flatMap(([type, schema]) =>
    type === 'application/json' ? [formOf(schema, document).schema] : [],
  );
  const { data } = answer?.properties ?? {};
  const { items } = data ? formOf(data, document).schema : {};
  return items && formOf(items, document).schema;
}
