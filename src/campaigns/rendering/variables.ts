import { maxListItems, wholeOf } from '../../platform/content/liquid.ts';
import type { Value, Values } from '../../platform/content/liquid.ts';
import type { Reader } from '../../platform/content/filters/reader.ts';
import type { DataSchema } from '../../platform/schema/data-schema.ts';

/** Where content is shown: it decides which variables there are. */
export type Place = 'message' | 'page' | 'landing_page';

const everywhere = [
  'contact.unique_id',
  'contact.email',
  'contact.phone',
  'contact.first_name',
  'contact.last_name',
  'contact.preferred_name',
  'contact.locale',
  'contact.timezone',
  'contact.postal_code',
  'contact.tags',
  'team.name',
];
const inTemplates = ['template.name', 'template.deadline_at', 'journey.link_url'];

const known: Readonly<Record<Place, ReadonlySet<string>>> = {
  message: new Set([...everywhere, ...inTemplates, 'unsubscribe_url', 'preferences_url']),
  page: new Set([...everywhere, ...inTemplates]),
  landing_page: new Set([...everywhere, 'landing_page.title', 'landing_page.url']),
};

const attribute = /^contact\.attributes\.[a-z][a-z0-9_]{0,63}$/;

/**
 * The paths that nothing ever fills at the place, or anywhere if no place is named. What begins
 * with `data` is known where the schema declares it.
 */
export function unknownVariables(
  paths: Iterable<string>,
  place?: Place,
  dataSchema: DataSchema | null = null,
): string[] {
  const places = place ? [known[place]] : Object.values(known);
  const declared = new Set(dataSchema ? declaredPaths(dataSchema, 'data') : []);
  const isKnown = (path: string) =>
    attribute.test(path) || declared.has(path) || places.some((names) => names.has(path));
  return [...new Set(paths)]
    .filter((path) => !isKnown(path) && !isKnown(wholeOf(path) ?? path))
    .sort();
}

/** The paths of the values that a schema declares: scalars, and lists of them. */
function* declaredPaths({ properties }: DataSchema, path: string): Generator<string> {
  for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    if (!isRecord(schema)) continue;
    const { type, items } = schema;
    const isList = type === 'array' && !(isRecord(items) && items['type'] === 'object');
    if (type === 'object') yield* declaredPaths(schema, `${path}.${name}`);
    else if (type !== 'array' || isList) yield `${path}.${name}`;
  }
}

const isRecord = (value: unknown): value is DataSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Values by path from the first of these objects that has one. Only known variables, `data` and own
 * scalars and lists of them are read, so that no other column can be shown.
 */
export function valuesOf(reader: Reader, ...sources: readonly object[]): Values {
  const { locale, timezone, currency } = reader;
  return {
    ...{ locale, timezone, currency },
    read(path) {
      if (!path.startsWith('data.') && unknownVariables([path]).length > 0) return null;
      for (const source of sources) {
        const value = valueIn(lookUp(source, path.split('.')));
        if (value !== undefined) return value;
      }
      return null;
    },
  };
}

function lookUp(source: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return source;
  if (!isRecord(source) || !Object.hasOwn(source, name)) return undefined;
  return lookUp(source[name], rest);
}

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function valueIn(value: unknown): Exclude<Value, null> {
  if (Array.isArray(value)) return value.slice(0, maxListItems).filter(isScalar);
  return isScalar(value) ? value : undefined;
}
