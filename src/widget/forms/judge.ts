import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { hasHidden, isEmail, maxEmailLength } from '../../platform/schema/email.ts';
import type { FormBody } from '../../campaigns/content-blocks/content-block.ts';
import { maxWrittenPhone, readPhone } from './phone.ts';

export type FormField = FormBody['fields'][number];

/** Input of a visitor, by the names of the fields. */
export type Entries = ReadonlyMap<string, string>;

/** A problem with a field, worded for the person who fills in the form. */
export interface FieldProblem {
  name: string;
  message: string;
}

/** Fields that have the name of a field of the contact. */
const contactFields = [
  'email',
  'phone',
  'first_name',
  'last_name',
  'preferred_name',
  'postal_code',
  'date_of_birth',
] as const;
type ContactField = (typeof contactFields)[number];
export type SubmittedContact = Partial<Record<ContactField, string>>;

const isContactField = (name: string): name is ContactField =>
  contactFields.some((field) => field === name);

/** Kind of a field of this name, regardless of its kind in the form. */
const kindByName: Readonly<Partial<Record<string, FormField['kind']>>> = {
  email: 'email',
  phone: 'phone',
  date_of_birth: 'date',
};
export const kindOf = ({ name, kind }: FormField): FormField['kind'] => kindByName[name] ?? kind;

const shortFields: Readonly<Partial<Record<string, number>>> = {
  email: maxEmailLength,
  phone: maxWrittenPhone,
  postal_code: 16,
  first_name: 100,
  last_name: 100,
  preferred_name: 100,
};
/** Characters at most. */
export const maxLengthOf = ({ name }: FormField): number => shortFields[name] ?? 1_000;

/** Size of all fields of a form outside the contact, as JSON: the limit of an event. */
const maxFieldsBytes = 7_500;

const isDate = Compile(Type.String({ format: 'date' }));

/** A valid form. */
export interface Submission {
  /** Undefined without an address and a number, since the contact could not be found again. */
  contact: SubmittedContact | undefined;
  /** Everything else. */
  fields: Record<string, string | boolean>;
  /** Channels that were agreed to, with the wording that was shown. */
  consents: { channel: 'email' | 'sms'; wording: string }[];
}

interface Reading {
  /** The locale of the team, whose country reads numbers without a country code. */
  locale: string;
  /** Returns the text that a source of Liquid was shown as. */
  wordsOf: (source: string) => string;
}

/** Reads a form: the values, or all their problems. */
export function judge(
  form: FormBody,
  entries: Entries,
  reading: Reading,
): { problems: readonly FieldProblem[] } | Submission {
  const { wordsOf } = reading;
  const problems: FieldProblem[] = [];
  const submitted: SubmittedContact = {};
  const fields: Submission['fields'] = {};
  const consents: Submission['consents'] = [];
  for (const field of form.fields) {
    const { name } = field;
    const value = valueOf(field, entries, reading);
    const message = problemOf(field, value, reading);
    if (message !== undefined) problems.push({ name, message });
    if (value === '') continue;
    if (typeof value === 'string' && isContactField(name)) submitted[name] = value;
    else fields[name] = value;
    const { consent: channel } = field;
    if (value === true && channel) consents.push({ channel, wording: wordsOf(field.label) });
  }
  const isFound = submitted.email !== undefined || submitted.phone !== undefined;
  const all = { ...(!isFound && submitted), ...fields };
  if (Buffer.byteLength(JSON.stringify(all)) > maxFieldsBytes) {
    const [longest] = Object.entries(all).sort(([, a], [, b]) => lengthOf(b) - lengthOf(a));
    problems.push({ name: longest?.[0] ?? '', message: 'Shorten this: the form says too much.' });
  }
  if (problems.length > 0) return { problems };
  return { contact: isFound ? submitted : undefined, fields: all, consents };
}

const lengthOf = (value: string | boolean) => String(value).length;

function valueOf(field: FormField, entries: Entries, { locale }: Reading): string | boolean {
  const written = entries.get(field.name) ?? '';
  switch (kindOf(field)) {
    case 'checkbox':
      return written !== '';
    case 'phone':
      return readPhone(written, locale) ?? written;
    default:
      return written;
  }
}

function problemOf(
  field: FormField,
  value: string | boolean,
  { locale, wordsOf }: Reading,
): string | undefined {
  if (value === '' || value === false) {
    if (!field.is_required) return undefined;
    return value === false ? 'Tick this box to go on.' : 'Fill this in.';
  }
  if (value === true) return undefined;
  const most = maxLengthOf(field);
  if (value.length > most) return `Shorten this to ${String(most)} characters.`;
  switch (kindOf(field)) {
    case 'email':
      return emailProblem(value);
    case 'phone':
      return readPhone(value, locale) === undefined
        ? 'Enter a number with its country code, such as +1 415 555 0100.'
        : undefined;
    case 'date':
      return isDate.Check(value) ? undefined : 'Enter a date such as 1990-01-31.';
    case 'select': {
      const isOffered = field.options?.some((option) => wordsOf(option) === value) ?? false;
      return isOffered ? undefined : 'Choose one of the list.';
    }
    default:
      return undefined;
  }
}

function emailProblem(value: string): string | undefined {
  if (isEmail(value)) return undefined;
  if (hasHidden(value)) {
    return 'Type the e-mail address by hand: it contains spaces or invisible characters.';
  }
  if (/^[^@]*[^\0-\x7f@][^@]*@/.test(value)) {
    return 'Enter an e-mail address without accents and other special letters before the @.';
  }
  return 'Enter an e-mail address such as name@example.com.';
}
