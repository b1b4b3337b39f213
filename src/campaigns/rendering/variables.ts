import type { Values } from '../../platform/content/liquid.ts';
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
  return [...new Set(paths)]
    .filter((path) => !attribute.test(path) && !declared.has(path))
    .filter((path) => !places.some((names) => names.has(path)))
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

/** Somebody to show content with, where no contact is named. */
export const sampleContact = {
  unique_id: 'sample-1',
  email: 'ada@example.com',
  phone: '+14155550100',
  first_name: 'Ada',
  last_name: 'Lovelace',
  preferred_name: 'Ada',
  locale: 'en-US',
  timezone: 'America/New_York',
  postal_code: '94105',
  tags: ['sample'],
};

/** Sample values of the surroundings of content, for previews. */
export const sampleSurroundings = {
  template: { name: 'Sample template', deadline_at: '2030-01-31T17:00:00.000Z' },
  journey: { link_url: 'https://example.com/journey' },
  landing_page: { title: 'Sample page', url: 'https://example.com/page' },
  unsubscribe_url: 'https://example.com/unsubscribe',
  preferences_url: 'https://example.com/preferences',
};

/**
 * Values by path from the first of these objects that has one. Only known variables, `data` and own
 * scalars are read, so that no other column can be shown. A list of scalars is joined by commas.
 */
export function valuesOf(...sources: readonly object[]): Values {
  return (path) => {
    if (!path.startsWith('data.') && unknownVariables([path]).length > 0) return null;
    for (const source of sources) {
      const value = scalarOf(lookUp(source, path.split('.')));
      if (value !== undefined) return value;
    }
    return null;
  };
}

function lookUp(source: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return source;
  if (typeof source !== 'object' || source === null || !Object.hasOwn(source, name)) {
    return undefined;
  }
  return lookUp(Reflect.get(source, name), rest);
}

function scalarOf(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (!Array.isArray(value)) return undefined;
  return value.filter((item) => scalarOf(item) !== undefined && !Array.isArray(item)).join(', ');
}
