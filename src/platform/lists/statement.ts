import type { Scalar } from './values.ts';

/** SQL text whose placeholders $1… stand for the values. */
export interface Statement {
  text: string;
  values: readonly Scalar[];
}

/** Adds a value and gives its placeholder with a cast, so that Postgres never guesses a type. */
export type Bind = (value: Scalar, sqlType: string) => string;

/** Values of a statement in the making; `initial` are those that its text names already. */
export function collectValues(initial: readonly Scalar[]): { values: Scalar[]; bind: Bind } {
  const values = [...initial];
  return { values, bind: (value, sqlType) => `$${String(values.push(value))}::${sqlType}` };
}

/** Array in the text form of Postgres; the driver would need the element type beforehand. */
export function arrayLiteral(items: readonly Scalar[]): string {
  const quoted = items.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`);
  return `{${quoted.join(',')}}`;
}
