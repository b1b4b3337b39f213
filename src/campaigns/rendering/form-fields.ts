import { maxEmailLength } from '../../platform/schema/email.ts';
import type { FormBody } from '../content-blocks/content-block.ts';

export type FormField = FormBody['fields'][number];

/** Kind of a field of this name, regardless of its kind in the form. */
const kindByName: Readonly<Partial<Record<string, FormField['kind']>>> = {
  email: 'email',
  phone: 'phone',
  date_of_birth: 'date',
};
export const kindOf = ({ name, kind }: FormField): FormField['kind'] => kindByName[name] ?? kind;

/** Characters of a phone number at most, as a person writes it. */
export const maxWrittenPhone = 40;

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

/** Purposes by which browsers fill in data of their user (WCAG 1.3.5). */
const purposes: Readonly<Partial<Record<string, string>>> = {
  email: 'email',
  phone: 'tel',
  name: 'name',
  full_name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  preferred_name: 'nickname',
  nickname: 'nickname',
  date_of_birth: 'bday',
  company: 'organization',
  organization: 'organization',
  job_title: 'organization-title',
  street: 'street-address',
  address: 'street-address',
  address_line1: 'address-line1',
  address_line2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  region: 'address-level1',
  postal_code: 'postal-code',
  country: 'country-name',
};

/** The purpose of a field, by its name or else by its kind; undefined where neither has one. */
export function purposeOf(field: FormField): string | undefined {
  const { [field.name]: purpose } = purposes;
  if (purpose !== undefined) return purpose;
  const kind = kindOf(field);
  if (kind === 'email') return 'email';
  return kind === 'phone' ? 'tel' : undefined;
}
