import { Type } from 'typebox';
import type { Static } from 'typebox';
import { contactReference } from '../../contacts/lookup/contact-reference.ts';
import { Email } from '../../platform/schema/email.ts';
import { Timestamp } from '../../platform/schema/fields.ts';
import { MessageDataField } from '../message-data/message-data.ts';

/** Days that a send may be scheduled ahead. */
export const maxScheduledDays = 30;

/** The fields of a send: its recipient by one of four, its data and its time. */
export const sendFields = {
  contact_id: contactReference.contact_id,
  contact_unique_id: contactReference.contact_unique_id,
  email: Type.Optional(Email()),
  phone: Type.Optional(Type.String({ format: 'phone', description: 'E.164' })),
  data: MessageDataField(
    'by the data_schema of the message. Stored encrypted, and deleted after the send',
  ),
  scheduled_at: Type.Optional(
    Timestamp(`At most ${String(maxScheduledDays)} days ahead; now if absent`),
  ),
};

export const SendRequest = Type.Object(sendFields, {
  additionalProperties: false,
  description:
    'One of contact_id, contact_unique_id, email and phone names the recipient. An email or phone ' +
    'that no contact has creates a contact, and needs the scope partner:contacts:write.',
});
export type SendRequest = Static<typeof SendRequest>;

/** Scopes that a send requires beyond its own: an address may create a contact. */
export function furtherScopes({ email, phone }: SendRequest): string[] {
  return (email ?? phone) === undefined ? [] : ['partner:contacts:write'];
}
