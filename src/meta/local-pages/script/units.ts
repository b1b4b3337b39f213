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
export const itemsOf = (schema: unknown): unknown =>
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

/** The title of a field for people. */
export const titleIn = (field: unknown): string => (isRow(field) ? textOf(field['title']) : '');

/** The counts of a share that says of what it is, such as `delivered / sent`. */
export function baseOf(field: unknown, figures: Row): string {
  const description = isRow(field) ? textOf(field['description']) : '';
  const [, part = '', whole = ''] = /^(\w+) \/ (\w+)$/.exec(description) ?? [];
  const [a, b] = [figures[part], figures[whole]];
  if (!/_rate$/.test(part + whole) && typeof a === 'number' && typeof b === 'number') {
    return /cents/.test(part) ? '' : `${a.toLocaleString()} of ${b.toLocaleString()}`;
  }
  return '';
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
