import { isIP } from 'node:net';
import { Type } from 'typebox';
import type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox';
import Format from 'typebox/format';
import { earliestMs, latestMs } from '../time/rules.ts';
import { isSafeUrl } from './safe-url.ts';

/**
 * The field vocabulary: every schema that the API shows is made of these. A resource's properties
 * are also its columns; an optional property is a nullable column.
 */

// RFC 3339 with a zone, its colon or none, in the years 0001–9999; no leap seconds, no February 30.
const timestampPattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;
const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

function isCalendarDay([, year = '', month = '', day = '']: RegExpExecArray): boolean {
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 && Number(day) > 0;
}

export function isTimestamp(text: string): boolean {
  const match = timestampPattern.exec(text);
  if (!match || !isCalendarDay(match)) return false;
  return Date.parse(text) >= earliestMs && Date.parse(text) <= latestMs;
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

const partnerKeyPrefix = 'unique_id:';

/** The key in `unique_id:<key>`, which stands for an id in paths; undefined for anything else. */
export function partnerKeyOf(reference: string): string | undefined {
  if (!reference.startsWith(partnerKeyPrefix)) return undefined;
  return reference.slice(partnerKeyPrefix.length);
}

/** Caches accepted texts: a check takes some 30 µs, too long for each row of a file. */
function remembering(fits: (text: string) => boolean): (text: string) => boolean {
  const known = new Set<string>();
  return (text) => {
    if (known.has(text)) return true;
    if (!fits(text)) return false;
    if (known.size < maxRemembered) known.add(text);
    return true;
  };
}

const maxRemembered = 2_000;

export const isTimezone = remembering((text) => {
  try {
    return (
      !/^[+-]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) instanceof Object
    );
  } catch {
    return false;
  }
});

/** E.164. */
export function isPhone(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

export const isLocale = remembering((text) => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
});

/** An address and a prefix, 10.0.0.0/8 or 2001:db8::/32. */
export function isCidr(text: string): boolean {
  const [, address = '', bits] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  return isIP(address) > 0 && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}

Format.Set('date-time', isTimestamp);
Format.Set('date', (text) => {
  const match = datePattern.exec(text);
  return match !== null && isCalendarDay(match);
});
Format.Set('uuid', isUuid);
Format.Set('uri', (text) => isSafeUrl(text, 'web'));
Format.Set('app-uri', (text) => isSafeUrl(text, 'app'));
const currencies = new Set(Intl.supportedValuesOf('currency'));

Format.Set('cidr', isCidr);
Format.Set('currency', (text) => currencies.has(text));
Format.Set('timezone', isTimezone);
Format.Set('locale', isLocale);
Format.Set('phone', isPhone);

/** UUID, shown in lower case. */
export const Id = (description?: string) =>
  Type.String({ format: 'uuid', ...(description && { description }) });
/** RFC 3339; responses are UTC with milliseconds and "Z", and finer fractions are cut off. */
export const Timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }) });
/** Text of 1 to `maxLength` characters (UTF-16 units). */
export const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description && { description }) });
/** An absolute URL with http or https. */
export const Uri = (description?: string) =>
  Type.String({ format: 'uri', maxLength: 2048, ...(description && { description }) });
/**
 * A URL that people open: http, https, mailto, tel, sms, or that of an app such as mybank://accounts.
 */
export const AppUri = (description?: string) =>
  Type.String({ format: 'app-uri', maxLength: 2048, ...(description && { description }) });
/** IANA name of a time zone. */
export const Timezone = (description: string) =>
  Type.String({ format: 'timezone', maxLength: 64, description });
/** BCP 47. */
export const Locale = (description: string) =>
  Type.String({ format: 'locale', maxLength: 35, description });
/** ISO 4217. */
export const Currency = (description: string) => Type.String({ format: 'currency', description });
/** A network of IPv4 or IPv6 with its prefix. */
export const Cidr = () => Type.String({ format: 'cidr', maxLength: 49 });
/** Largest amount of money that a client sends; 900 such amounts stay below the limit of sums. */
export const maxCents = 10_000_000_000_000;
/** Money in integer cents of the team's currency, within ±10^13. */
export const Cents = (description = 'Amount in cents of the team’s currency') =>
  Type.Integer({ minimum: -maxCents, maximum: maxCents, description });
/** Sum of amounts, which `saturated` (rules.ts) or `to_safe_integer` (in SQL) bounds. */
export const CentsSum = (description = 'Sum in cents of the team’s currency') =>
  Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description}. A sum beyond ±(2^53−1) is shown as that limit`,
  });
export const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description && { description }) });
/** Words in lower case, joined by single hyphens. */
export const Kebab = (maxLength: number, description?: string) =>
  Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    examples: ['welcome'],
    minLength: 1,
    maxLength,
    ...(description && { description }),
  });
/** Ids of other resources of the team, in an order. */
export const IdList = (maxItems: number, description?: string) =>
  Type.Array(Id(), { maxItems, uniqueItems: true, ...(description && { description }) });
/** Something by locale, BCP 47. */
export const ByLocale = <Schema extends TSchema>(value: Schema, description?: string) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' }), value, {
    maxProperties: 50,
    additionalProperties: false,
    ...(description && { description }),
  });
/** One of some words. */
export function OneOf<const Values extends readonly string[]>(
  values: Values,
  description?: string,
): TUnsafe<Values[number]> & { enum: string[] } {
  const schema = Type.Enum([...values], { ...(description && { description }) });
  return { ...Type.Unsafe<Values[number]>(schema), enum: [...values] };
}
/** A resource in responses: its own fields plus id, type, team_id and the two timestamps. */
export function resource<const Name extends string, Fields extends TProperties>(
  name: Name,
  fields: Fields,
) {
  return Type.Object(
    {
      id: Id(),
      type: Type.Literal(name),
      team_id: Id(),
      ...fields,
      inserted_at: Timestamp(),
      updated_at: Timestamp(),
    },
    { title: name },
  );
}

/** A resource that its recipient sees: it has the times of their view only, not those of its row. */
export function recipientResource<const Name extends string, Fields extends TProperties>(
  name: Name,
  fields: Fields,
) {
  return Type.Object({ type: Type.Literal(name), team_id: Id(), ...fields }, { title: name });
}

/** A row of a resource: what is optional in the resource is null where it has no value. */
export type RowOf<Schema extends TSchema> = {
  [Name in keyof Static<Schema>]-?: undefined extends Static<Schema>[Name]
    ? Exclude<Static<Schema>[Name], undefined> | null
    : Static<Schema>[Name];
} & { lock_version: number };

/** The named fields with the changes of a body: an absent field is unchanged, null clears it. */
export function writeFields<Row extends object, const Name extends keyof Row & string>(
  before: Row,
  body: { readonly [Key in Name]?: Row[Key] | undefined },
  names: readonly Name[],
): Pick<Row, Name>;
export function writeFields(before: object, body: object, names: readonly string[]): object {
  return Object.fromEntries(
    names.map((name): [string, unknown] => {
      const requested: unknown = Reflect.get(body, name);
      return [name, requested === undefined ? Reflect.get(before, name) : requested];
    }),
  );
}

type Value<Schema> = Schema extends TSchema ? Static<Schema> : never;
type Nullable<Fields extends TProperties, Key extends keyof Fields> = Fields[Key] extends TOptional
  ? Value<Fields[Key]> | null
  : Value<Fields[Key]>;

export type CreateBody<
  Fields extends TProperties,
  Required extends keyof Fields,
  Optional extends keyof Fields,
> = { [Key in Required]: Value<Fields[Key]> } & {
  [Key in Optional]?: Nullable<Fields, Key> | undefined;
};
export type PatchBody<Fields extends TProperties, Key extends keyof Fields> = {
  [Name in Key]?: Nullable<Fields, Name> | undefined;
};

/**
 * Body that creates a resource. The full resource is accepted: fields of the server are ignored,
 * `type` must match, and other fields are unknown (ADR 3). Null means "no value" if the field is
 * optional.
 */
export function createBody<
  Fields extends TProperties,
  Required extends keyof Fields & string,
  Optional extends keyof Fields & string = never,
>(
  shape: TObject<Fields>,
  required: readonly Required[],
  optional: readonly Optional[] = [],
): TUnsafe<CreateBody<Fields, Required, Optional>> {
  return Type.Unsafe(bodyOf(shape, required, [...required, ...optional]));
}

/** Body that changes a resource: absent means unchanged, null or "" clears an optional field. */
export function patchBody<Fields extends TProperties, Key extends keyof Fields & string>(
  shape: TObject<Fields>,
  writable: readonly Key[],
): TUnsafe<PatchBody<Fields, Key>> {
  return Type.Unsafe(bodyOf(shape, [], writable));
}

/**
 * Fields of one item of an operation that writes a resource. As in its bodies: null clears, and
 * what the server owns is ignored.
 */
export function itemFields<Fields extends TProperties, const Key extends keyof Fields & string>(
  shape: TObject<Fields>,
  writable: readonly Key[],
): { [Name in Key]: TOptional<TUnsafe<Nullable<Fields, Name>>> };
export function itemFields(shape: TObject, writable: readonly string[]): TProperties {
  return bodyOf(shape, [], writable).properties;
}

/**
 * The schema of an optional text in a body says that it may be empty. One of a form says nothing:
 * the empty text is read as null before it is checked.
 */
function orEmpty(schema: TSchema): TSchema {
  const hasForm = ['format', 'pattern', 'const', 'enum'].some((rule) =>
    Object.hasOwn(schema, rule),
  );
  const isText = 'type' in schema && schema.type === 'string' && !hasForm;
  return isText ? { ...schema, minLength: 0 } : schema;
}

function bodyOf(shape: TObject, required: readonly string[], writable: readonly string[]) {
  const properties: TProperties = {};
  const optional = new Set(Object.keys(shape.properties));
  for (const name of shape.required) optional.delete(name);
  const vague = required.find((name) => optional.has(name));
  if (vague) throw new Error(`${vague} is optional in the resource and cannot be required here`);
  for (const [name, schema] of Object.entries(shape.properties)) {
    if (writable.includes(name)) {
      const value = optional.has(name) ? Type.Union([orEmpty(schema), Type.Null()]) : schema;
      properties[name] = required.includes(name) ? schema : Type.Optional(value);
    } else if (name === 'type') {
      properties[name] = Type.Optional(schema);
    } else {
      properties[name] = Type.Optional(Type.Unknown({ readOnly: true }));
    }
  }
  return Type.Object(properties, { additionalProperties: false });
}
