import { isRow, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

/** The unit of a figure, from the JSON Schema of its insight. */
export type Unit = 'money' | 'share' | 'change' | 'plain';

/** The schema of a field of an object. */
export function fieldOf(schema: unknown, name: string): unknown {
  const { properties } = alternativesOf(schema).find(isObject) ?? {};
  return isRow(properties) ? properties[name] : undefined;
}

/** The schema of the rows of a list. */
const itemsOf = (schema: unknown): unknown =>
  alternativesOf(schema).find(({ items }) => isRow(items))?.['items'];

/**
 * Amounts are integers, and all other numbers but those named here are shares: a name alone would
 * make money of the change of an amount. `prefix` is the group of the figure.
 */
export function unitOf(schema: unknown, name: string, prefix = ''): Unit {
  const types = alternativesOf(itemsOf(schema) ?? schema).map(({ type }) => textOf(type));
  if (types.includes('integer')) return /cents/.test(name) ? 'money' : 'plain';
  if (!types.includes('number') || /days|seconds|percentile|_pp$|^ci95$/.test(name)) return 'plain';
  return prefix === 'change' ? 'change' : 'share';
}

/** The units of the columns of a list, whose groups are columns of their own. */
export function unitsOf(schema: unknown, columns: readonly string[]): ReadonlyMap<string, Unit> {
  const row = itemsOf(schema);
  return new Map(
    columns.map((column) => {
      const [first = '', second] = column.split(' ');
      const field = fieldOf(row, first);
      return [
        column,
        second === undefined ? unitOf(field, first) : unitOf(fieldOf(field, second), second, first),
      ];
    }),
  );
}

function alternativesOf(schema: unknown): Row[] {
  if (!isRow(schema)) return [];
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? rowsOf(anyOf) : [schema];
}

const isObject = ({ properties }: Row) => isRow(properties);

const percent = { style: 'percent', maximumFractionDigits: 1 } as const;

/** A figure as people write it. `currency` is the one of the team, where the token may read it. */
export function figureOf(unit: Unit, value: unknown, currency?: string): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map((one) => figureOf(unit, one, currency)).join(' … ');
  if (typeof value !== 'number') return textOf(value);
  switch (unit) {
    case 'money':
      return (value / 100).toLocaleString(
        undefined,
        currency === undefined ? { minimumFractionDigits: 2 } : { style: 'currency', currency },
      );
    case 'share':
      return value.toLocaleString(undefined, percent);
    case 'change':
      return value.toLocaleString(undefined, { ...percent, signDisplay: 'exceptZero' });
    case 'plain':
      return value.toLocaleString();
    default:
      return unit satisfies never;
  }
}
