import { inStoredForm } from '../schema/email.ts';
import { isTimestamp, isUuid } from '../schema/fields.ts';
import { quote, suggest } from './suggest.ts';
import type { ListField, Operator } from './declaration.ts';
import { inUtc } from '../time/rules.ts';

/** A filter value ready to be bound: timestamps in UTC with milliseconds, ids in lower case. */
export type Scalar = string | number | boolean;
export type Parsed<T> = { value: T } | { problem: string };

const maxListValues = 100;

/**
 * Reads the value of one filter parameter by operator and field type. `in` and `nin` give 1 to 100
 * distinct values, the others one; `present` and `missing` give true or false.
 */
export function parseFilterValue(
  field: ListField,
  operator: Operator,
  text: string,
): Parsed<Scalar[]> {
  // Postgres has no such character: error 22021.
  if (text.includes('\0')) return { problem: 'The value contains a NUL character.' };
  if (operator === 'present' || operator === 'missing') return one(parseBoolean(text));
  if (operator === 'in' || operator === 'nin') return parseList(field, text);
  return one(parseScalar(field, text));
}

function one(parsed: Parsed<Scalar>): Parsed<Scalar[]> {
  return 'problem' in parsed ? parsed : { value: [parsed.value] };
}

function parseList(field: ListField, text: string): Parsed<Scalar[]> {
  if (text === '') return { problem: 'The list is empty; send 1 to 100 values, comma-separated.' };
  const items = [...new Set(splitList(text))];
  if (items.length > maxListValues) {
    return { problem: `The list has ${String(items.length)} values; send at most 100.` };
  }
  const values = new Set<Scalar>();
  const problems: string[] = [];
  for (const item of items) {
    const parsed = parseScalar(field, item);
    if ('problem' in parsed) problems.push(parsed.problem);
    else values.add(parsed.value);
  }
  const [problem] = problems;
  if (problem === undefined) return { value: [...values] };
  const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more like it)` : '';
  return { problem: problem + more };
}

/** Splits at commas; a backslash escapes a comma or a backslash. */
function splitList(text: string): string[] {
  const items = [''];
  for (const [token] of text.matchAll(/\\[\\,]|[^]/gu)) {
    if (token === ',') items.push('');
    else
      items.push(
        `${items.pop() ?? ''}${token.length === 2 && token.startsWith('\\') ? token.slice(1) : token}`,
      );
  }
  return items;
}

function parseScalar(field: ListField, text: string): Parsed<Scalar> {
  switch (field.type) {
    case 'text':
      return { value: field.isAddress ? inStoredForm(text) : text };
    case 'text_array':
    case 'attribute':
      return { value: text };
    case 'enum':
      return parseEnum(field, text);
    case 'id':
    case 'id_array':
      return isUuid(text)
        ? { value: text.toLowerCase() }
        : { problem: `${quote(text)} is not a UUID.` };
    case 'integer':
      return parseInteger(text);
    case 'boolean':
      return parseBoolean(text);
    case 'timestamp':
      return parseTimestamp(text);
    case 'date':
      return text.length === 10 && isTimestamp(`${text}T00:00:00Z`)
        ? { value: text }
        : { problem: `${quote(text)} is not a date of the form 2026-01-31.` };
    default:
      return field.type satisfies never;
  }
}

function parseEnum({ values = [], otherValues }: ListField, text: string): Parsed<string> {
  if (values.includes(text) || otherValues?.test(text)) return { value: text };
  return {
    problem: `${quote(text)} is not one of ${values.join(', ')}.${suggest(text, values)}`,
  };
}

function parseInteger(text: string): Parsed<number> {
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return { problem: `${quote(text)} is not an integer.` };
  const value = Number(text);
  if (Number.isSafeInteger(value)) return { value: value + 0 };
  return { problem: `${quote(text)} is beyond ±9007199254740991.` };
}

function parseBoolean(text: string): Parsed<boolean> {
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  return { problem: `${quote(text)} is neither true nor false.` };
}

function parseTimestamp(text: string): Parsed<string> {
  // Finer fractions are cut off, as they are where timestamps are written.
  if (isTimestamp(text)) return { value: inUtc(text) };
  const form = `${quote(text)} is not an RFC 3339 timestamp such as 2026-01-31T09:30:00Z.`;
  if (/\d \d\d:?\d\d$/.test(text)) return { problem: `${form} Write the "+" of the zone as %2B.` };
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { problem: `${form} The time of day is missing.` };
  if (/T[\d:.]+$/i.test(text)) return { problem: `${form} The zone is missing.` };
  return { problem: form };
}
