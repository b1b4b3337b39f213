import fc from 'fast-check';
import type { Json, Node } from './json-schema.ts';

const timestamps = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
/** Values that have broken services before. */
const nasty = fc.constantFrom<unknown>(
  '', ' ', '\u0000', '\ud800', '0', '-1', 'NaN', 'null', 'true', '[]', '{}', '%s', "'", '\\', '$$',
  '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z', '2026-02-29T00:00:00Z', 'infinity', '1e400',
  '00000000-0000-0000-0000-000000000000', '\u202e', 'a'.repeat(5_000), -1, 0, 2 ** 31, 2 ** 53 - 1,
  1.5, 1e300, true, false, null, [], [[]], [null], {}, { $ref: '#' }, { toString: 1 },
); // prettier-ignore

/** Any value that a client may send. */
export const anyValue = fc.oneof(
  nasty,
  timestamps,
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);

/** Bodies close to a schema: some of its fields, and some fields of a valid body. */
export function anyBody(schema: Node | undefined, good: Json = {}): fc.Arbitrary<unknown> {
  const names = Object.keys(schema?.properties ?? { x: 1 });
  const fields = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), anyValue, {
    maxKeys: 6,
  });
  return fc.oneof(
    fields,
    fields.map((some) => ({ ...good, ...some })),
    fc.jsonValue(),
  );
}
