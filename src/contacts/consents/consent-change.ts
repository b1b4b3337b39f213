import { Type } from 'typebox';
import { Id, OneOf, Text, Timestamp } from '../../platform/schema/fields.ts';
import { Consent } from '../contact.ts';
import { consentChannels } from '../rules.ts';

/** Statuses that a client can set. */
const Recorded = OneOf(['pending', 'subscribed', 'unsubscribed']);

/** The fields of one channel that a client writes; the service adds the timestamp. */
export const ConsentWritten = Type.Object(
  {
    status: Recorded,
    source: Text(255, 'Where it was given or withdrawn'),
    evidence: Type.Optional(
      Text(2_000, 'Evidence, such as the wording shown or a reference to it'),
    ),
  },
  { additionalProperties: false },
);

/**
 * A consent as it was recorded, and the one that it replaced; `never` where it was given for an address
 * that the contact has no longer. Never changed, never removed.
 */
export const ConsentChange = Type.Object(
  {
    id: Id(),
    type: Type.Literal('contact_consent_change'),
    team_id: Id(),
    contact_id: Id(),
    channel: OneOf(consentChannels),
    consent: Consent,
    previous: Consent,
    client_id: Type.Optional(Id('Who recorded it')),
    inserted_at: Timestamp(),
  },
  { title: 'contact_consent_change' },
);
