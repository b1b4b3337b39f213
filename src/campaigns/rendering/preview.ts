import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Values } from '../../platform/content/liquid.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import { Id, isLocale, isTimezone } from '../../platform/schema/fields.ts';
import { findContacts } from '../../contacts/queries.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import { requireTeam } from '../../team/queries.ts';
import type { Letterhead } from './addresses.ts';
import { sampleContact, valuesFor } from './audience.ts';

/** For whom content is shown before it is sent or published. */
export const PreviewFor = Type.Object(
  {
    contact_id: Type.Optional(
      Id('Whose data to use; needs partner:contacts:read. Without one, a sample person’s'),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values to use instead, such as {"contact": {"first_name": "Ada"}}',
      }),
    ),
    locale: Type.Optional(
      Type.String({
        format: 'locale',
        maxLength: 35,
        description: 'The contact’s if absent, or else the team’s',
      }),
    ),
  },
  { additionalProperties: false },
);
type PreviewFor = Static<typeof PreviewFor>;

export type PreviewCall = Pick<
  Call<unknown, unknown, unknown>,
  'sql' | 'teamId' | 'principal' | 'services'
>;

/** Where the addresses of a preview lead. */
export const letterheadOf = ({ services }: PreviewCall): Letterhead => ({
  publicBaseUrl: services.config.publicBaseUrl,
  keyring: services.keyring,
});

/** The contact of a preview; undefined for a sample person. Throws 401 and 422. */
export async function contactOf(
  { sql, teamId, principal }: PreviewCall,
  { contact_id: id }: PreviewFor,
): Promise<ContactRow | undefined> {
  if (id === undefined) return undefined;
  checkScopes(principal, 'partner:contacts:read');
  const [contact] = await findContacts(sql, teamId, [id]);
  if (contact) return contact;
  throw fail('validation_failed', {
    detail: 'The team has no such contact.',
    meta: { pointer: '/contact_id', rule: 'reference_not_found' },
  });
}

/** The values to show content with, which are those that it is sent with. */
export async function previewFor(
  { sql, teamId }: PreviewCall,
  contact: ContactRow | undefined,
  { data = {}, locale }: Pick<PreviewFor, 'data'> & { locale?: string | null },
  surroundings: object,
): Promise<Values> {
  const team = await requireTeam(sql, teamId);
  const person = { ...(contact ?? sampleContact), ...readerIn(data) };
  return valuesFor({ team, contact: person, locale, surroundings, instead: data });
}

/** The locale and time zone of the contact that the given data describe. */
function readerIn({ contact }: Readonly<Record<string, unknown>>) {
  if (typeof contact !== 'object' || contact === null) return {};
  const given = (name: string, isRight: (text: string) => boolean) => {
    const value: unknown = Object.hasOwn(contact, name) ? Reflect.get(contact, name) : undefined;
    return typeof value === 'string' && isRight(value) ? { [name]: value } : {};
  };
  return { ...given('locale', isLocale), ...given('timezone', isTimezone) };
}
