/** A query as the service writes it: `{ filter: { email: { in: [a, b] } } }` is `filter[email][in]=a,b`. */
export function writeQuery(query: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) append(pairs, name, value);
  return pairs.toString();
}

/** A parameter that is written once for each of its values; of filters, all must hold. */
export class Each {
  readonly values: readonly string[];

  constructor(values: readonly string[]) {
    this.values = values;
  }
}

function append(pairs: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (value instanceof Each) {
    for (const one of value.values) pairs.append(name, one);
    return;
  }
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)) {
    for (const [key, inner] of Object.entries(value)) append(pairs, `${name}[${key}]`, inner);
    return;
  }
  const text = Array.isArray(value)
    ? value.map((item) => textOf(item).replaceAll(/[\\,]/g, '\\$&')).join(',')
    : textOf(value);
  pairs.append(name, text);
}

export function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `/v2/partner/contacts/{id}` with its parameters. */
export function writePath(path: string, values: readonly string[]): string {
  let at = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[at];
    at += 1;
    if (value) return encodeURIComponent(value);
    throw new TypeError(`${name} is missing in ${path}`);
  });
}
