import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { hasHidden, isEmail } from '../../platform/schema/email.ts';
import type { FormBody } from '../../campaigns/content-blocks/content-block.ts';
import { kindOf, maxLengthOf } from '../../campaigns/rendering/form-fields.ts';
import type { FormField } from '../../campaigns/rendering/form-fields.ts';
import type { Entries, FieldProblem } from '../../campaigns/rendering/form-markup.ts';
import { formWordsFor } from '../../campaigns/rendering/form-words.ts';
import type { FormWords } from '../../campaigns/rendering/form-words.ts';
import { readPhone } from './phone.ts';

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
  /** The language of the visitor, in which problems are worded. */
  language: string;
  /** Returns the text that a source of Liquid was shown as. */
  wordsOf: (source: string) => string;
}

/** Reads a form: the values, or all their problems. */
export function checkForm(
  form: FormBody,
  entries: Entries,
  reading: Reading,
): { problems: readonly FieldProblem[] } | Submission {
  const { wordsOf } = reading;
  const words = formWordsFor(reading.language);
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
    problems.push({ name: longest?.[0] ?? '', message: words.shortenForm });
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
  { locale, wordsOf, language }: Reading,
): string | undefined {
  const words = formWordsFor(language);
  if (value === '' || value === false) {
    if (!field.is_required) return undefined;
    return value === false ? words.tick : words.fillIn;
  }
  if (value === true) return undefined;
  const most = maxLengthOf(field);
  if (value.length > most) return words.shorten.replace('{max}', String(most));
  switch (kindOf(field)) {
    case 'email':
      return emailProblem(value, words);
    case 'phone':
      return readPhone(value, locale) === undefined ? words.phone : undefined;
    case 'date':
      return isDate.Check(value) ? undefined : words.date;
    case 'select': {
      const isOffered = field.options?.some((option) => wordsOf(option) === value) ?? false;
      return isOffered ? undefined : words.chooseOne;
    }
    default:
      return undefined;
  }
}

function emailProblem(value: string, words: FormWords): string | undefined {
  if (isEmail(value)) return undefined;
  if (hasHidden(value)) return words.emailHidden;
  return /^[^@]*[^\0-\x7f@][^@]*@/.test(value) ? words.emailLetters : words.email;
}
