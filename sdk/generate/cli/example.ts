import type { Operation } from '../document.ts';

/** The example of a body as arguments of the command line. */
export function exampleOf({ body, flags, example }: Operation): string {
  if (flags.includes('u')) return 'contacts.csv';
  return body !== undefined && isObject(example) ? argumentsOf(example, '').join(' ') : '';
}

function argumentsOf(object: Record<string, unknown>, prefix: string): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const place = prefix + name;
    if (typeof value === 'string') return [quoted(`${place}=${value}`)];
    // A dot would be read as the name of an inner field.
    const isPlain = isObject(value) && Object.keys(value).every((key) => /^\w+$/.test(key));
    if (isPlain && depthOf(value) <= 2) return argumentsOf(value, `${place}.`);
    return [quoted(`${place}:=${JSON.stringify(value)}`)];
  });
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** As a shell reads it. */
const quoted = (text: string) =>
  /^[\w.=:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
