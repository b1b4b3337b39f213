import { Type } from 'typebox';
import { Id, OneOf, Text, Timestamp } from '../../platform/schema/fields.ts';
import { Consent, consentChannels } from '../contact.ts';

/** Statuses that a change can set; no consent returns to `never`. */
const Recorded = OneOf(['pending', 'subscribed', 'unsubscribed']);

/** The fields of one channel that a client writes; the service adds the timestamp. */
export const ConsentWritten = Type.Object(
  {
    status: Recorded,
    source: Text(255, 'Where it was given or taken back'),
    evidence: Type.Optional(Text(2_000, 'Proof, such as the wording shown or a reference to it')),
  },
  { additionalProperties: false },
);

/** A consent as it was recorded, and the one that it replaced. Never changed, never removed. */
export const ConsentChange = Type.Object(
  {
    id: Id(),
    type: Type.Literal('contact_consent_change'),
    team_id: Id(),
    contact_id: Id(),
    channel: OneOf(consentChannels),
    consent: Type.Object({ ...Consent.properties, status: Recorded }),
    previous: Consent,
    client_id: Type.Optional(Id('Who recorded it')),
    inserted_at: Timestamp(),
  },
  { title: 'contact_consent_change' },
);
