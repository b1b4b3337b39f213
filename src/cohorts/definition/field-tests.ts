import { inStoredForm } from '../../platform/schema/email.ts';
import { isTimestamp } from '../../platform/schema/fields.ts';
import { suggest } from '../../platform/lists/suggest.ts';
import { inUtc } from '../../platform/time/rules.ts';
import { findField, opsOfKind } from './fields.ts';
import { isRecord } from './reader.ts';
import type { Json, Reader } from './reader.ts';
import { fieldOps } from './tree.ts';
import type { FieldKind, FieldOp, FieldTest, Value } from './tree.ts';

type Fields = Readonly<Record<string, FieldKind>>;

const maxOperators = 20;
const maxListValues = 100;

/** The conditions of a `where`; none where it is absent. */
export function readTests(
  reader: Reader,
  value: unknown,
  fields: Fields,
  pointer: string,
): readonly FieldTest[] | null {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > maxOperators) {
    return reader.refuse(pointer, 'type', `A list of at most ${String(maxOperators)} conditions.`);
  }
  const read = value.map((one: unknown, at) => {
    const place = `${pointer}/${String(at)}`;
    if (isRecord(one)) return readTest(reader, one, fields, place);
    return reader.refuse(place, 'type', 'A condition is an object.', 'object');
  });
  return allOf(read);
}

export function readTest(
  reader: Reader,
  value: Json,
  fields: Fields,
  pointer: string,
): FieldTest | null {
  reader.only(value, ['field', 'op', 'value'], pointer);
  const { field: name } = value;
  const found = typeof name === 'string' ? findField(fields, name) : undefined;
  if (typeof name !== 'string' || !found) {
    const names = Object.keys(fields);
    const hint = typeof name === 'string' ? suggest(name, names) : '';
    return reader.refuse(`${pointer}/field`, 'enum', `There is no such field.${hint}`, names);
  }
  const op = reader.choice(value['op'], fieldOps, `${pointer}/op`);
  if (!op) return null;
  const allowed = opsOfKind[found.kind];
  if (!allowed.includes(op)) {
    const detail = `${name} takes ${allowed.join(', ')}.`;
    return reader.refuse(`${pointer}/op`, 'enum', detail, allowed);
  }
  const values = readValues(reader, found.kind, op, value['value'], `${pointer}/value`);
  return values && { name, op, values, ...found };
}

const spans: ReadonlySet<FieldOp> = new Set([
  ...(['within_last', 'not_within_last', 'older_than'] as const),
  ...(['in_next', 'anniversary_in_next'] as const),
]);

function readValues(
  reader: Reader,
  kind: FieldKind,
  op: FieldOp,
  sent: unknown,
  pointer: string,
): readonly Value[] | null {
  if (op === 'present' || op === 'missing') {
    if (sent === undefined || sent === true) return [];
    return reader.refuse(pointer, 'type', `${op} takes no value.`);
  }
  if (spans.has(op)) return allOf([reader.duration(sent, pointer)]);
  if (op !== 'in' && op !== 'nin') return allOf([readScalar(reader, kind, op, sent, pointer)]);
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > maxListValues) {
    const detail = `A list of 1 to ${String(maxListValues)} values.`;
    return reader.refuse(pointer, 'max_items', detail, maxListValues);
  }
  return allOf(
    sent.map((one: unknown, at) => readScalar(reader, kind, op, one, `${pointer}/${String(at)}`)),
  );
}

function readScalar(
  reader: Reader,
  kind: FieldKind,
  op: FieldOp,
  sent: unknown,
  pointer: string,
): Value | null {
  switch (kind) {
    case 'id':
      return reader.id(sent, pointer);
    case 'timestamp':
      if (typeof sent === 'string' && isTimestamp(sent)) {
        return inUtc(sent);
      }
      return reader.refuse(pointer, 'format', 'An RFC 3339 timestamp.', 'date-time');
    case 'number':
      if (typeof sent === 'number' && Number.isSafeInteger(sent)) return sent;
      return reader.refuse(pointer, 'type', 'An integer.', 'integer');
    case 'boolean':
      return reader.flag(sent, pointer);
    case 'text':
    case 'texts':
      return reader.text(sent, pointer);
    case 'address': {
      const text = reader.text(sent, pointer);
      return text === null ? null : inStoredForm(text);
    }
    case 'attribute':
      return readAttribute(reader, op, sent, pointer);
    default:
      return kind satisfies never;
  }
}

/** Reads a test of a custom attribute. A stored value of another type never matches. */
function readAttribute(reader: Reader, op: FieldOp, sent: unknown, pointer: string): Value | null {
  const isText = op === 'contains' || op === 'starts_with' || op === 'ends_with';
  const isEquality = op === 'eq' || op === 'neq' || op === 'in' || op === 'nin';
  if (typeof sent === 'number' && Number.isFinite(sent) && !isText) return sent;
  if (typeof sent === 'boolean' && isEquality) return sent;
  return reader.text(sent, pointer);
}

function allOf<T>(read: readonly (T | null)[]): readonly T[] | null {
  const good = read.filter((one) => one !== null);
  return good.length === read.length ? good : null;
}
