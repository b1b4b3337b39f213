import { failAll, HttpError } from '../../platform/http/errors.ts';
import { isExactNumber } from '../../platform/http/exact-number.ts';
import { parseJsonText } from '../../platform/http/json.ts';
import { trimCell } from './trim-cell.ts';

/** Target field of the cells of a column, and their conversion. */
export interface Column {
  /** Names of fields, from the outside in. */
  path: readonly string[];
  /**
   * Value of a cell that is not empty; absent if the field is read-only and ignored. Throws for
   * JSON that no body may have.
   */
  convert?: (text: string) => unknown;
}

type Schema = Readonly<Record<string, unknown>>;

const truthy = new Set(['true', 't', 'yes', 'y', '1', 'on', 'x']);
const falsy = new Set(['false', 'f', 'no', 'n', '0', 'off']);

/**
 * The column for a field of a schema: its name, or those of nested fields with dots between; the
 * key of an objective of the team too, where the schema has `objectives` by key.
 */
export function findColumn(
  schema: unknown,
  field: string,
  objectiveKeys: ReadonlySet<string>,
): Column | undefined {
  const named = follow(schema, field.split('.'));
  return named ?? (objectiveKeys.has(field) ? follow(schema, ['objectives', field]) : undefined);
}

/** The column of yes and no that is a consent; undefined where records have none. */
export function findConsentColumn(
  schema: unknown,
  { channel, ...given }: { channel: string; source: string; evidence?: string },
): Column | undefined {
  const path = ['consents', channel];
  if (!follow(schema, [...path, 'status']) || !follow(schema, [...path, 'source']))
    return undefined;
  return {
    path,
    convert(text) {
      const answer = toBoolean(text);
      if (typeof answer === 'boolean') {
        return { status: answer ? 'subscribed' : 'unsubscribed', ...given };
      }
      throw failAll([
        {
          code: 'record_unreadable',
          detail: `The cell of the consent for ${channel} is neither yes nor no.`,
          meta: { pointer: `/${path.join('/')}/status`, rule: 'flag' },
        },
      ]);
    },
  };
}

function follow(schema: unknown, path: readonly string[]): Column | undefined {
  let at = onlyForm(schema);
  for (const name of path) {
    const next = at && fieldOf(at, name);
    if (!next) return undefined;
    at = next;
  }
  if (!at) return undefined;
  return at['readOnly'] === true ? { path } : { path, convert: converterOf(at, path) };
}

function fieldOf(schema: Schema, name: string): Schema | undefined {
  const { properties, patternProperties } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) return onlyForm(properties[name]);
  if (!isRecord(patternProperties)) return undefined;
  const found = Object.entries(patternProperties).find(([text]) => new RegExp(text).test(name));
  return found && onlyForm(found[1]);
}

/** The schema without its "or null": the empty cell is no value at all. */
function onlyForm(schema: unknown): Schema | undefined {
  if (!isRecord(schema)) return undefined;
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const forms = anyOf.filter(isRecord).filter(({ type }) => type !== 'null');
  const [only, ...more] = forms;
  return more.length === 0 ? onlyForm(only) : schema;
}

/** Text that is no such value stays text, for the schema to refuse. */
function converterOf(schema: Schema, path: readonly string[]): (text: string) => unknown {
  const { type, anyOf } = schema;
  if (type === 'boolean') return toBoolean;
  if (type === 'integer' || type === 'number') return toNumber;
  if (type === 'object') return jsonConverter(path);
  if (type === 'array') return listConverter(schema['items'], path);
  // A field that accepts text gets text: "00123" and "true" can be names.
  if (type !== undefined || 'enum' in schema) return (text) => text;
  const forms = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [];
  const hasText = forms.length === 0 || forms.some((form) => form['type'] === 'string');
  return hasText ? (text) => text : jsonConverter(path);
}

function toBoolean(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (truthy.has(word)) return true;
  return falsy.has(word) ? false : text;
}

function toNumber(text: string): unknown {
  const digits = text.trim();
  const isNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(digits);
  return isNumber && isExactNumber(digits.replace('+', '')) ? Number(digits) : text;
}

/** Text that is no JSON stays text. Throws where it is JSON that no body may have. */
function jsonConverter(path: readonly string[]): (text: string) => unknown {
  return (text) => {
    if (!isJson(text)) return text;
    try {
      return parseJsonText(text);
    } catch (error) {
      throw error instanceof HttpError ? unreadable(error, path) : error;
    }
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The problems of a value as those of the field that it is for. */
function unreadable(error: HttpError, path: readonly string[]): HttpError {
  const field = path.map((name) => `/${name}`).join('');
  return failAll(
    error.problems.map(({ detail, meta }) => {
      const within = typeof meta?.['pointer'] === 'string' ? meta['pointer'] : '';
      return { code: 'record_unreadable', detail, meta: { pointer: field + within, rule: 'json' } };
    }),
  );
}

/** JSON, or the items with semicolons between. */
function listConverter(items: unknown, path: readonly string[]): (text: string) => unknown {
  const convert = converterOf(onlyForm(items) ?? {}, path);
  const toJson = jsonConverter(path);
  return (text) => {
    if (text.trimStart().startsWith('[')) return toJson(text);
    const parts = text.split(';').map(trimCell);
    return parts.filter((part) => part !== '').map(convert);
  };
}

/** Puts a value into an item, with the objects around it. */
export function place(item: Record<string, unknown>, path: readonly string[], value: unknown) {
  let at = item;
  for (const name of path.slice(0, -1)) {
    const inner = at[name];
    if (isRecord(inner)) at = inner;
    else at = at[name] = {};
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
