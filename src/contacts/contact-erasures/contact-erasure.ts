import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Id, OneOf, Timestamp, resource } from '../../platform/schema/fields.ts';

/** The erasure of a contact: at once in every answer, and soon in every copy. */
export const ContactErasure = resource('contact_erasure', {
  contact_id: Id('The contact, of which nothing but ids is left'),
  status: OneOf(['pending', 'sweeping', 'completed'], 'completed: no copy is left'),
  requested_by_client_id: Type.Optional(Id()),
  completed_at: Type.Optional(Timestamp()),
});
export type ContactErasure = Static<typeof ContactErasure>;

/** The fields that are shown of an erased contact. */
export const ErasedContact = Type.Object(
  {
    id: Id(),
    type: Type.Literal('contact'),
    team_id: Id(),
    erased_at: Timestamp(),
  },
  { title: 'erased_contact' },
);
