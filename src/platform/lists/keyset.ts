import type { Bind } from './statement.ts';
import type { Scalar } from './values.ts';

export interface OrderKey {
  expression: string;
  sqlType: string;
  descending: boolean;
  nullable: boolean;
}

/** The values of a row by the keys of the order, null included. */
export type Position = readonly (Scalar | null)[];

/** Where a page starts: behind the row at the position, or with that row if it is inclusive. */
export interface PageStart {
  position: Position;
  isInclusive?: boolean;
}

/**
 * Conditions that together select exactly the rows behind a position, disjoint and in order. Each
 * is one range of an index on the keys, so that no page reads the rows before it. A single
 * condition with "or" is not: with many ties or nulls in the leading key it reads all of them.
 *
 * Nulls are larger than all values, as Postgres sorts by default. A row comparison of a null with a
 * value is null, which excludes the row. That is right in descending order, where such rows come
 * earlier. In ascending order they come later, and get their own range.
 *
 * An inclusive start adds the row at the position itself, which is the range where all keys are
 * equal.
 */
export function rangesBehind(
  keys: readonly OrderKey[],
  { position, isInclusive = false }: PageStart,
  bind: Bind,
  fixed: readonly string[] = [],
): string[] {
  const [first] = keys;
  if (!first) return isInclusive ? [all(fixed)] : [];
  const tiesFrom = (key: number, equal: readonly string[]) =>
    rangesBehind(keys.slice(key), { position: position.slice(key), isInclusive }, bind, [
      ...fixed,
      ...equal,
    ]);
  if (position[0] === null) {
    const isNull = `${first.expression} is null`;
    const ties = tiesFrom(1, [isNull]);
    return first.descending ? [...ties, all([...fixed, `${first.expression} is not null`])] : ties;
  }

  // Behind other conditions a row value leads astray: the planner estimates it by its first column,
  // and with many ties there expects no row at all.
  const length = fixed.length > 0 ? 1 : keys.length;
  const run = leadingRun(keys.slice(0, length), position).map(({ key, value }) => ({
    ...key,
    bound: bind(value, key.sqlType),
  }));
  const equal = run.map(({ expression, bound }) => `${expression} = ${bound}`);
  const ties = tiesFrom(run.length, equal);
  const left = run.map(({ expression }) => expression).join(', ');
  const right = run.map(({ bound }) => bound).join(', ');
  const behind = `(${left}) ${first.descending ? '<' : '>'} (${right})`;
  const isNullLater = first.nullable && !first.descending;
  const nulls = isNullLater ? [all([...fixed, `${first.expression} is null`])] : [];
  return [...ties, all([...fixed, behind]), ...nulls];
}

/**
 * The leading keys that one row value can compare: one direction, no null in the position, and
 * ascending none but the first nullable, since the nulls of the others lie amid the range.
 */
function leadingRun(keys: readonly OrderKey[], position: readonly (Scalar | null)[]) {
  const run: { key: OrderKey; value: Scalar }[] = [];
  for (const [index, key] of keys.entries()) {
    const value = position[index];
    if (value === null || value === undefined || key.descending !== keys[0]?.descending) break;
    if (index > 0 && key.nullable && !key.descending) break;
    run.push({ key, value });
  }
  return run;
}

const all = (conditions: readonly string[]) => conditions.join(' and ');
