import { errorCatalog } from '../../src/platform/http/error-catalog.ts';

/** The values of a schema that tests have to reach: a tree with only the paths to them. */
export interface Place {
  /** Values that the schema lists here, each with the name under which it is recorded. */
  values?: ReadonlyMap<unknown, string>;
  fields?: ReadonlyMap<string, Place>;
  /** Place of the items of an array, or of the values of a map. */
  each?: Place;
  branches?: readonly Place[];
}

/** Names a value of a place: by the component or operation, the path in it, and the value. */
export type Naming = (path: string, value: unknown) => string;

const errorCodes = new Map<unknown, string>(
  Object.keys(errorCatalog).map((code) => [code, `error code: ${code}`]),
);

/**
 * The tree of a schema; undefined where it lists no values. A resource, in any operation, and any
 * other titled schema begin a path of their own.
 */
export function placeOf(schema: unknown, path: string, name: Naming): Place | undefined {
  if (!isRecord(schema)) return undefined;
  const listed = listedBy(schema);
  if (listed) return { values: new Map(listed.map((value) => [value, name(path, value)])) };
  const own = nameOf(schema) ?? path;
  const each = placeOf(schema['items'] ?? valuesOfMap(schema), own, name);
  const branches = [schema['anyOf'], schema['allOf'], schema['oneOf']]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .map((branch) => placeOf(branch, own, name))
    .filter((place) => place !== undefined);
  const fields = fieldsOf(schema, own, name);
  if (!each && branches.length === 0 && fields.size === 0) return undefined;
  return { fields, branches, ...(each && { each }) };
}

function nameOf({ title, properties }: Record<string, unknown>): string | undefined {
  const type = isRecord(properties) ? properties['type'] : undefined;
  if (isRecord(type) && typeof type['const'] === 'string') return type['const'];
  return typeof title === 'string' ? title : undefined;
}

function listedBy(schema: Record<string, unknown>): unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum'];
  return 'const' in schema ? [schema['const']] : undefined;
}

function valuesOfMap({ patternProperties, additionalProperties }: Record<string, unknown>) {
  if (isRecord(patternProperties)) return Object.values(patternProperties)[0];
  return additionalProperties;
}

function fieldsOf({ properties }: Record<string, unknown>, path: string, name: Naming) {
  const fields = new Map<string, Place>();
  if (!isRecord(properties)) return fields;
  for (const [field, schema] of Object.entries(properties)) {
    const isErrorCode = field === 'code' && 'detail' in properties;
    const place = isErrorCode ? { values: errorCodes } : placeOf(schema, `${path}.${field}`, name);
    if (place) fields.set(field, place);
  }
  return fields;
}

/** Names all listed values that a value has. */
export function see(place: Place | undefined, value: unknown, seen: (name: string) => void): void {
  if (!place || value === undefined || value === null) return;
  const name = place.values?.get(value);
  if (name !== undefined) seen(name);
  for (const branch of place.branches ?? []) see(branch, value, seen);
  if (place.each && typeof value === 'object') {
    for (const item of Object.values(value)) see(place.each, item, seen);
  }
  if (!isRecord(value)) return;
  for (const [field, below] of place.fields ?? []) see(below, value[field], seen);
}

/** Names every value that the tree lists. */
export function listNames(place: Place | undefined, add: (name: string) => void): void {
  if (!place) return;
  for (const name of place.values?.values() ?? []) add(name);
  for (const branch of place.branches ?? []) listNames(branch, add);
  listNames(place.each, add);
  for (const below of place.fields?.values() ?? []) listNames(below, add);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
