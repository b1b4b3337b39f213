import { Type } from 'typebox';
import { Id, OneOf } from '../../platform/schema/fields.ts';
import { consentChannels } from '../../contacts/rules.ts';
import { contactReference, findReferred } from '../../contacts/lookup/contact-reference.ts';
import { changeTopicConsents } from '../../contacts/topic-consents/change.ts';
import { TopicConsentWritten } from '../../contacts/topic-consents/topic-consents.ts';
import { findTopicIds } from '../../contacts/topics/queries.ts';
import { operation } from '../operation-type.ts';
import type { Outcome } from '../operation-type.ts';

export const contactsSetTopicConsent = operation({
  kind: 'contacts.set_topic_consent',
  category: 'contacts',
  summary: 'Record the consent of a contact to a topic for one channel',
  notes: 'Kept as proof with its source; what is recorded already changes nothing.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:contacts:write'],
  outputScope: 'partner:contacts:read',
  rateLimitClass: 'write',
  audit: { none: 'contact_data' },
  input: Type.Object(
    {
      ...contactReference,
      topic_id: Id('A topic of the team'),
      channel: OneOf(consentChannels),
      ...TopicConsentWritten.properties,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    contact_id: Id(),
    topic_id: Id(),
    channel: OneOf(consentChannels),
    status: TopicConsentWritten.properties.status,
  }),
  async apply({ sql, teamId, principal }, items) {
    const referred = await findReferred(sql, teamId, items, { isLocked: true });
    const topics = await findTopicIds(
      sql,
      teamId,
      items.map(({ topic_id }) => topic_id.toLowerCase()),
    );
    const sound = items.map(({ topic_id: id, channel, status, source, evidence }, at) => {
      const found = referred[at];
      const topic_id = id.toLowerCase();
      if (!found || 'problems' in found || !topics.has(topic_id)) return undefined;
      const proof = evidence === undefined ? {} : { evidence };
      return { contact_id: found.contact.id, topic_id, channel, status, source, ...proof };
    });
    const requested = sound.filter((one) => one !== undefined);
    const { changed } = await changeTopicConsents(sql, teamId, requested, principal);
    return items.map((_, at): Outcome<(typeof requested)[number]> => {
      const found = referred[at];
      const one = sound[at];
      if (one) {
        return {
          status: changed.has(one) ? 'updated' : 'unchanged',
          resource_type: 'contact',
          resource_id: one.contact_id,
          output: one,
        };
      }
      return { status: 'failed', errors: found && 'problems' in found ? found.problems : noTopic };
    });
  },
});

const noTopic = [
  {
    code: 'validation_failed' as const,
    detail: 'topic_id names no topic of the team.',
    meta: { pointer: '/topic_id', rule: 'reference_not_found' },
  },
];
