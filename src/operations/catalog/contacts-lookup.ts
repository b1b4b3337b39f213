import { Type } from 'typebox';
import { Id, Text } from '../../platform/schema/fields.ts';
import { Contact } from '../../contacts/contact.ts';
import { findContactsReferred, findContactsWith } from '../../contacts/lookup/queries.ts';
import type { ContactAsked } from '../../contacts/lookup/queries.ts';
import { Email, inStoredForm } from '../../platform/schema/email.ts';
import { operation } from '../operation-type.ts';

/** Contacts shown for one address or number, which households share. */
const maxFound = 25;

/** The contact that was asked for by this address or number; of no others. */
const askedBy =
  (value: string) =>
  ({ asked, ...contact }: ContactAsked) =>
    asked === value ? [contact] : [];

export const contactsLookup = operation({
  kind: 'contacts.lookup',
  category: 'contacts',
  summary: 'Find contacts by id, unique_id, e-mail address or phone number',
  notes: 'One field in each item. What is not found is skipped, with an empty list.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:contacts:read'],
  rateLimitClass: 'read',
  audit: { counted: 'contact.read' },
  input: Type.Object(
    {
      id: Type.Optional(Id()),
      unique_id: Type.Optional(Text(255)),
      email: Type.Optional(Email()),
      phone: Type.Optional(Type.String({ format: 'phone', description: 'E.164' })),
    },
    { minProperties: 1, maxProperties: 1, additionalProperties: false },
  ),
  output: Type.Object({
    contacts: Type.Array(Contact, { maxItems: maxFound }),
    has_more: Type.Boolean(),
  }),
  async apply({ sql, teamId }, items) {
    const requested = items.map(({ id, email, ...rest }) => ({
      ...rest,
      id: id?.toLowerCase(),
      email: email === undefined ? undefined : inStoredForm(email),
    }));
    const all = (field: 'id' | 'unique_id' | 'email' | 'phone') => [
      ...new Set(requested.flatMap((item) => item[field] ?? [])),
    ];
    const keys = { ids: all('id'), keys: all('unique_id') };
    const found = await Promise.all([
      findContactsReferred(sql, teamId, keys, { isLocked: false }),
      findContactsWith(sql, teamId, 'email', all('email'), maxFound + 1),
      findContactsWith(sql, teamId, 'phone', all('phone'), maxFound + 1),
    ]);
    const [referred, addressed, called] = found;
    return requested.map(({ id, unique_id, email, phone }) => {
      const contacts =
        email !== undefined
          ? addressed.flatMap(askedBy(email))
          : phone !== undefined
            ? called.flatMap(askedBy(phone))
            : referred.filter((contact) =>
                id === undefined
                  ? contact.keys.some((key) => key === unique_id)
                  : contact.id === id,
              );
      const [first] = contacts;
      return {
        status: first ? ('unchanged' as const) : ('skipped' as const),
        resource_type: 'contact',
        resource_id: contacts.length === 1 && first ? first.id : null,
        output: { contacts: contacts.slice(0, maxFound), has_more: contacts.length > maxFound },
      };
    });
  },
});
