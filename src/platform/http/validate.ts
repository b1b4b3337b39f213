import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import type { Static, TSchema } from 'typebox';
import { failAll, maxProblems } from './errors.ts';
import type { Problem } from './errors.ts';
import { checkLongLists } from './long-lists.ts';
import type { SchemaError } from './long-lists.ts';
import { findOversized } from './sizes.ts';
import { findRepeats, withoutUniqueItems } from './unique-items.ts';

/** More than a response names, since some of them are noise of unions. */
const maxSchemaErrors = 4 * maxProblems;
Settings.Set({ maxErrors: maxSchemaErrors });

/** Compiled when it is first needed: hundreds of schemas at the start would cost a second. */
function compiledOnce<Schema extends TSchema>(schema: Schema) {
  const compile = () => Compile(withoutUniqueItems(schema));
  let compiled: ReturnType<typeof compile> | undefined;
  return () => (compiled ??= compile());
}

/** Turns a schema into a function that returns the value, or throws every problem as 422. */
export function bodyValidator<Schema extends TSchema>(schema: Schema) {
  const compiled = compiledOnce(schema);
  const repeats = findRepeats(schema);
  const read = fieldReader(schema);
  return (value: unknown): Static<Schema> => {
    const written = read(value);
    const repeated = repeats(written);
    if (repeated.length === 0 && compiled().Check(written)) return written;
    throw failAll([...problemsOf(schema, compiled(), written), ...repeated.map(repeatProblem)]);
  };
}

/** Turns a schema into a function that lists every problem of a value; none where it fits. */
export function problemFinder(schema: TSchema): (value: unknown) => readonly Problem[] {
  const compiled = compiledOnce(schema);
  const repeats = findRepeats(schema);
  return (value) => {
    const repeated = repeats(value).map(repeatProblem);
    if (compiled().Check(value)) return repeated;
    return [...problemsOf(schema, compiled(), value), ...repeated];
  };
}

const repeatProblem = (pointer: string) => problem(pointer, 'format', 'must not repeat an item');

/** Sizes first: the list of all other errors may take the square of them. */
function problemsOf(
  schema: TSchema,
  compiled: { Errors(value: unknown): readonly SchemaError[] },
  value: unknown,
): Problem[] {
  const oversized = findOversized(schema, value);
  if (oversized.length > 0) return oversized;
  const { errors, rest } = checkLongLists(schema, value, maxProblems);
  return describeErrors(errors.length > 0 ? errors : compiled.Errors(rest));
}

/** Turns a schema into a function that returns whether a value fits. */
export function fitChecker(schema: TSchema): (value: unknown) => boolean {
  const compiled = compiledOnce(schema);
  return (value) => compiled().Check(value);
}

/**
 * Turns a schema into a function that lists the errors of a value (for the service's own
 * responses).
 */
export function shapeChecker(schema: TSchema) {
  const compiled = compiledOnce(schema);
  return (value: unknown): string[] =>
    compiled().Check(value)
      ? []
      : compiled()
          .Errors(value)
          .map((error) => `${error.instancePath} ${error.message}`);
}

/**
 * Turns a schema into a function that reads what a client wrote: fields that the server owns are
 * ignored, and an empty text in an optional text field means "no value" (ADR 3).
 */
export function fieldReader(schema: TSchema): (value: unknown) => unknown {
  const properties: unknown = 'properties' in schema ? schema.properties : {};
  const names = (rule: (property: Record<string, unknown>) => boolean) =>
    new Set(
      Object.entries(isRecord(properties) ? properties : {})
        .filter(([, property]) => isRecord(property) && rule(property))
        .map(([name]) => name),
    );
  const ignored = names((property) => property['readOnly'] === true);
  const clearable = names(takesEmptyText);
  return (value) => {
    if (!isRecord(value)) return value;
    const entries = Object.entries(value);
    const isEmptied = ([name, one]: [string, unknown]) => one === '' && clearable.has(name);
    if (!entries.some((entry) => ignored.has(entry[0]) || isEmptied(entry))) return value;
    return Object.fromEntries(
      entries
        .filter(([name]) => !ignored.has(name))
        .map((entry) => (isEmptied(entry) ? [entry[0], null] : entry)),
    );
  };
}

/** A text of any form, or null. */
function takesEmptyText({ anyOf }: Record<string, unknown>): boolean {
  const forms = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [];
  return forms.some(isOfText) && forms.some(({ type }) => type === 'null');
}

const isOfText = ({ type, enum: words }: Record<string, unknown>) =>
  type === 'string' || (Array.isArray(words) && words.every((word) => typeof word === 'string'));

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One problem per place and cause; the noise of unions is folded. */
export function describeErrors(errors: readonly SchemaError[]): Problem[] {
  const unions = new Set(
    errors.filter((error) => error.keyword === 'anyOf').map((error) => error.instancePath),
  );
  const formless = new Set(
    errors.filter((error) => error.keyword === 'format').map((error) => error.instancePath),
  );
  const isFull = errors.length >= maxSchemaErrors;
  const problems = new Map<string, Problem>();
  for (const error of errors) {
    // additionalProperties names every unknown field; "boolean" repeats each of them. A full list
    // may end before additionalProperties.
    if (error.keyword === 'anyOf' || (error.keyword === 'boolean' && !isFull)) continue;
    // A format has a pattern for clients, and says more than it.
    if (error.keyword === 'pattern' && formless.has(error.instancePath)) continue;
    const inUnion = unions.has(error.instancePath);
    if (inUnion && error.keyword === 'type' && error.params['type'] === 'null') continue;
    for (const problem of translate(error)) {
      const key = `${String(problem.meta?.['pointer'])} ${inUnion ? '' : problem.detail}`;
      if (!problems.has(key)) problems.set(key, problem);
    }
  }
  for (const pointer of unions) {
    if (![...problems.keys()].some((key) => key.startsWith(pointer))) {
      problems.set(pointer, problem(pointer, 'type', 'has none of the allowed forms'));
    }
  }
  return [...problems.values()];
}

function problem(pointer: string, rule: string, says: string, expected?: unknown): Problem {
  const name = pointer === '' ? 'The body' : pointer.slice(1).replaceAll('/', '.');
  return {
    code: 'validation_failed',
    detail: `${name} ${says}.`,
    meta: { pointer, rule, ...(expected !== undefined && { expected }) },
  };
}

function translate({ keyword, instancePath: at, params }: SchemaError): Problem[] {
  const limit = params['limit'];
  switch (keyword) {
    case 'required':
      return firstNames(params['requiredProperties']).map((name) =>
        problem(`${at}/${escape(name)}`, 'required', 'is required'),
      );
    case 'additionalProperties':
      return firstNames(params['additionalProperties']).map((name) =>
        problem(`${at}/${escape(name)}`, 'unknown_field', 'is not a field of this resource'),
      );
    case 'boolean':
      return [problem(at, 'unknown_field', 'is not a field of this resource')];
    case 'type':
      return [problem(at, 'type', `must be of type ${String(params['type'])}`, params['type'])];
    case 'enum': {
      const allowed = params['allowedValues'];
      return [problem(at, 'enum', `must be one of ${names(allowed).join(', ')}`, allowed)];
    }
    case 'const':
      return [
        problem(at, 'enum', `must be ${String(params['allowedValue'])}`, [params['allowedValue']]),
      ];
    case 'format':
      return [
        problem(
          at,
          params['format'] === 'phone' ? 'invalid_phone' : 'format',
          formatHints[String(params['format'])] ?? 'is malformed',
          params['format'],
        ),
      ];
    case 'pattern':
      return [problem(at, 'pattern', 'has characters that are not allowed', params['pattern'])];
    case 'minimum':
    case 'exclusiveMinimum':
      return [problem(at, 'min', `must be at least ${String(limit)}`, limit)];
    case 'maximum':
    case 'exclusiveMaximum':
      return [problem(at, 'max', `must be at most ${String(limit)}`, limit)];
    case 'minLength':
      return [problem(at, 'min_length', `must have at least ${String(limit)} characters`, limit)];
    case 'maxLength':
      return [problem(at, 'max_length', `must have at most ${String(limit)} characters`, limit)];
    case 'minItems':
      return [problem(at, 'min_length', `must have at least ${String(limit)} items`, limit)];
    case 'maxItems':
      return [problem(at, 'max_length', `must have at most ${String(limit)} items`, limit)];
    case 'maxProperties':
      return [problem(at, 'max_length', `must have at most ${String(limit)} keys`, limit)];
    default:
      return [problem(at, 'format', 'is not valid')];
  }
}

const formatHints: Record<string, string> = {
  'date-time': 'must be an RFC 3339 timestamp with a zone, such as 2026-01-31T09:30:00.000Z',
  date: 'must be a date such as 2026-01-31',
  uuid: 'must be a UUID',
  'idn-email':
    'must be an e-mail address. It has at most 64 unaccented letters, digits and signs before the ' +
    '@, with single dots between them, and no spaces or invisible characters',
  'idn-hostname': 'must be a domain such as bank.example',
  uri: 'must be an absolute URL that begins with https:// (or http://)',
  'app-uri': 'must be an absolute https URL, or the URL of an app such as mybank://accounts',
  currency: 'must be an ISO 4217 code such as USD',
  cidr: 'must be a network with its prefix such as 192.0.2.0/24',
  timezone: 'must be an IANA time zone name such as Europe/Berlin',
  locale: 'must be a BCP 47 language tag such as en-US',
  phone: 'must be a phone number in E.164 form such as +14155550100',
};

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** As many as a response can name, and one more to show that there are others. */
function firstNames(value: unknown): string[] {
  return names(Array.isArray(value) ? value.slice(0, maxProblems + 1) : value);
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
