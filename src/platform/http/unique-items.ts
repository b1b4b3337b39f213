import type { TSchema } from 'typebox';

/**
 * The library reports repeated items in time quadratic in their number: a body of 1 MB would stop
 * the process for a minute. This is linear, and leaves longer arrays to `maxItems`.
 */
export function findRepeats(schema: TSchema): (value: unknown) => readonly string[] {
  const find = finderOf(schema);
  return (value) => (find ? find(value, '') : nothing);
}

/** The schema without the keyword that `findRepeats` checks. */
export function withoutUniqueItems<Schema extends TSchema>(schema: Schema): Schema;
export function withoutUniqueItems(schema: unknown): unknown {
  return copyOf(schema);
}

function copyOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copyOf);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([name, value]) => name !== 'uniqueItems' || value !== true,
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, copyOf(value)]));
}

const nothing: readonly string[] = [];

/** Pointers of the arrays below `pointer` that repeat an item. */
type Finder = (value: unknown, pointer: string) => readonly string[];

/** Undefined if the schema requires no unique items, so that most values are not walked. */
function finderOf(schema: unknown): Finder | undefined {
  if (!isRecord(schema)) return undefined;
  const finders = [ofArray(schema), ofObject(schema), ...partsOf(schema).map(finderOf)].filter(
    (finder) => finder !== undefined,
  );
  if (finders.length === 0) return undefined;
  return (value, pointer) => [...new Set(finders.flatMap((find) => find(value, pointer)))];
}

function ofArray({ items, uniqueItems, maxItems }: Json): Finder | undefined {
  const ofItem = finderOf(items);
  if (uniqueItems !== true && !ofItem) return undefined;
  const longest = typeof maxItems === 'number' ? maxItems : Infinity;
  return (value, pointer) => {
    if (!Array.isArray(value) || value.length > longest) return nothing;
    const isRepeating = uniqueItems === true && new Set(value.map(keyOf)).size < value.length;
    const inside = ofItem
      ? value.flatMap((item: unknown, at) => ofItem(item, `${pointer}/${String(at)}`))
      : nothing;
    return isRepeating ? [pointer, ...inside] : inside;
  };
}

function ofObject({ properties }: Json): Finder | undefined {
  if (!isRecord(properties)) return undefined;
  const finders = Object.entries(properties).flatMap(([name, property]) => {
    const find = finderOf(property);
    return find ? [{ name, find }] : [];
  });
  if (finders.length === 0) return undefined;
  return (value, pointer) =>
    isRecord(value)
      ? finders.flatMap(({ name, find }) => find(value[name], `${pointer}/${name}`))
      : nothing;
}

const partsOf = ({ anyOf, allOf }: Json): readonly unknown[] => [
  ...listOf(anyOf),
  ...listOf(allOf),
];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const keyOf = (item: unknown) => JSON.stringify(item);

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
