import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Id, OneOf, Text, Timestamp, resource } from '../../platform/schema/fields.ts';
import { consentChannels } from '../rules.ts';
import { topicStatuses } from '../topics/topic.ts';

const source = Text(255, 'Where it was given or withdrawn');
const evidence = Type.Optional(
  Text(2_000, 'Evidence, such as the wording shown or a reference to it'),
);

/** The fields of a consent that a client writes; the service adds the timestamp. */
export const TopicConsentWritten = Type.Object(
  { status: OneOf(topicStatuses), source, evidence },
  { additionalProperties: false },
);

/** A choice of a contact, as it was recorded. */
const Recorded = Type.Object({
  status: OneOf(topicStatuses),
  source,
  evidence,
  updated_at: Timestamp('When the service recorded it'),
});
export type RecordedTopicConsent = Static<typeof Recorded>;

const InEffect = Type.Object({
  status: OneOf(topicStatuses, 'In effect: the choice of the contact, else that of the topic'),
  is_default: Type.Boolean({ description: 'Whether the contact has made no choice' }),
  source: Type.Optional(source),
  evidence,
  updated_at: Type.Optional(Timestamp('When the service recorded it')),
});

/** Consents of a contact to each topic of the team; id, version and times are the contact's. */
export const TopicConsents = resource('contact_topic_consents', {
  contact_id: Id(),
  topics: Type.Array(
    Type.Object({
      topic_id: Id(),
      consents: Type.Object({ email: InEffect, sms: InEffect, push: InEffect }),
    }),
    { description: 'In the order of the topics, the archived ones as well' },
  ),
});

const Change = Type.Object({
  topic_id: Id(),
  channel: OneOf(consentChannels),
  consent: Recorded,
  previous: Type.Optional(Recorded),
});

/** The changes that one request made to the consents of a contact. */
export const TopicConsentsChanged = Type.Object(
  {
    id: Id('The contact'),
    type: Type.Literal('contact_topic_consents'),
    team_id: Id(),
    contact_id: Id(),
    changes: Type.Array(Change),
  },
  { title: 'contact_topic_consents_changed' },
);

/** A choice as it was recorded, and the one that it replaced. Never changed, never removed. */
export const TopicConsentChange = Type.Object(
  {
    id: Id(),
    type: Type.Literal('contact_topic_consent_change'),
    team_id: Id(),
    contact_id: Id(),
    ...Change.properties,
    client_id: Type.Optional(Id('Who recorded it; absent where the recipient did')),
    inserted_at: Timestamp(),
  },
  { title: 'contact_topic_consent_change' },
);
