import { readForeignJson } from '../platform/http/foreign-json.ts';

/** Reads JSON of other parties: a value of an unexpected type is undefined. */

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of own keys and array positions. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step))
      return undefined;
    found = Reflect.get(found, step);
  }
  return found;
}

/** Text that is not empty. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The texts of a list; one text alone is a list of one. */
export function textsAt(value: unknown, ...path: readonly (string | number)[]): string[] {
  const found = at(value, ...path);
  const list: unknown[] = Array.isArray(found) ? found : [found];
  return list.filter((item) => typeof item === 'string');
}

export function recordAt(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  const found = at(value, ...path);
  return isRecord(found) ? found : undefined;
}

/** A number, or the text of one; providers write both. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = at(value, ...path);
  if (typeof found === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(found)) return Number(found);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** The object without the fields that have no value. */
export function given(fields: Json): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** An object or list of JSON inside of JSON; undefined when it is none. */
export function parseInner(text: string | Buffer): unknown {
  return readForeignJson(typeof text === 'string' ? Buffer.from(text) : text);
}

/** Fields under other names; what is absent or null is left out. */
export function renamed(value: unknown, names: Readonly<Record<string, string>>): Json {
  return given(
    Object.fromEntries(
      Object.entries(names).map(([name, from]) => [name, at(value, from) ?? undefined]),
    ),
  );
}

/** As `renamed`, for texts: empty ones and values of other types are left out, numbers written out. */
export function renamedTexts(value: unknown, names: Readonly<Record<string, string>>): Json {
  return given(
    Object.fromEntries(
      Object.entries(names).map(([name, from]) => {
        const found = at(value, from);
        return [name, typeof found === 'number' ? String(found) : textAt(value, from)];
      }),
    ),
  );
}
