import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { consentChannels } from '../rules.ts';
import { lockContact, requireContact } from '../queries.ts';
import { topics } from '../topics/queries.ts';
import { changeTopicConsents } from './change.ts';
import { presentTopicConsents } from './present.ts';
import { topicConsentChangeSource } from './queries.ts';
import { TopicConsentChange, TopicConsentWritten, TopicConsents } from './topic-consents.ts';

const tag = 'Contacts';
const path = '/v2/partner/contacts/{id}/topic-consents';

export const getContactTopicConsents = endpoint({
  id: 'getContactTopicConsents',
  method: 'GET',
  path,
  keyParams: ['id'],
  summary: 'Get the consents of a contact to each topic, by channel',
  description:
    'Returns what is in effect for each topic of the team and each channel: the choice of the ' +
    'contact, or the default_consent of the topic. A message of a topic also needs the consent ' +
    'of the contact for its channel.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'read',
  response: TopicConsents,
  handle: async ({ sql, teamId, params }) =>
    presentTopicConsents(sql, await requireContact(sql, teamId, params.id)),
});

export const setContactTopicConsent = endpoint({
  id: 'setContactTopicConsent',
  method: 'PUT',
  path: `${path}/{topic_id}/{channel}`,
  keyParams: ['id'],
  textParams: ['channel'],
  summary: 'Record the consent of a contact to a topic for one channel: email, sms or push',
  description:
    'Records that a contact has subscribed to a topic or has unsubscribed from it, for one ' +
    'channel. It leaves the other topics and channels, and the consent for the channel as a ' +
    'whole, as they are. Each change is kept with its source and evidence, and records the event ' +
    'contact.topic_consent_changed.',
  errors: ['resource_erased', 'contact_merged', 'precondition_failed'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  body: TopicConsentWritten,
  response: TopicConsents,
  async handle({ sql, teamId, principal, params, body, checkPrecondition }) {
    const channel = consentChannels.find((name) => name === params.channel);
    if (!channel) {
      throw fail('not_found', {
        detail: `There is no such channel; there are ${consentChannels.join(', ')}.`,
        meta: { resource: 'contact_topic_consent' },
      });
    }
    const contact = await lockContact(sql, teamId, params.id);
    checkPrecondition(contact);
    const { id: topic_id } = await topics.require(sql, teamId, params.topic_id);
    const requested = { contact_id: contact.id, topic_id, channel, ...body };
    const { versions } = await changeTopicConsents(sql, teamId, [requested], principal);
    return presentTopicConsents(sql, { ...contact, ...versions.get(contact.id) });
  },
});

export const listContactTopicConsentChanges = listEndpoint({
  id: 'listContactTopicConsentChanges',
  path: '/v2/partner/contacts/{id}/topic-consent-changes',
  keyParams: ['id'],
  summary: 'List the topic consent changes of a contact, with their evidence',
  description:
    'Returns every recorded change of the consents of a contact to topics with its source and ' +
    'evidence, the latest first.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:read',
  item: TopicConsentChange,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    topic_id: { type: 'id', filter: true },
    channel: { type: 'enum', values: consentChannels, filter: true },
  },
  defaultSort: '-inserted_at',
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return topicConsentChangeSource(teamId, contact.id);
  },
});

export const contactTopicConsentEndpoints = [
  getContactTopicConsents,
  setContactTopicConsent,
  listContactTopicConsentChanges,
];
