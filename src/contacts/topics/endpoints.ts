import { fail } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { findLastPosition, findMessageOf, topics } from './queries.ts';
import { maxTopics, topicListFields } from './topic.ts';

const standard = standardEndpoints(topics, {
  tag: 'Topics',
  path: '/v2/partner/topics',
  scope: 'partner:topics',
});

export const listTopics = standard.list({
  summary: 'List topics; archived ones only where a filter names is_archived',
  description:
    'Returns the subjects of marketing messages that recipients choose one by one, in the order ' +
    'of the preference center. Archived topics are returned only where a filter names is_archived.',
  fields: topicListFields,
  defaultSort: 'position',
});

export const createTopic = standard.create({
  summary: 'Create a topic that recipients can subscribe to and unsubscribe from',
  description:
    'Creates a topic. Name and description are shown to recipients. The default_consent is in ' +
    'effect for contacts that have made no choice and cannot be changed later: a changed default ' +
    'would subscribe people without their consent. A team has at most 50 topics. Name the ' +
    'topic as topic_id of marketing messages next.',
  quota: maxTopics,
  handle: async ({ sql, teamId, body: { name, description, localizations, ...body } }) =>
    topics.insert(sql, teamId, {
      name,
      description,
      localizations,
      position: body.position ?? (await findLastPosition(sql, teamId)),
      default_consent: body.default_consent ?? 'subscribed',
    }),
});

export const getTopic = standard.get({
  summary: 'Get a topic',
  description:
    'Returns one topic. A topic is a subject that contacts choose apart from a channel, such ' +
    'as offers. Its default_consent counts for contacts that have chosen nothing.',
});

export const updateTopic = standard.update({
  summary: 'Update the texts or the position of a topic',
  description:
    'Changes the fields that the body names. The default_consent is fixed. Consents to the topic ' +
    'stay as they are, so a new name should mean the same subject.',
});

export const deleteTopic = standard.delete({
  summary: 'Delete a topic that no message names',
  description:
    'Deletes a topic permanently. One that a message names is refused with 409; archive it instead. ' +
    'Recorded consents stay in the history of the contacts. Messages of the topic that wait ' +
    'follow the consents to the end.',
  errors: ['topic_in_use'],
  async check({ sql, teamId }, { id }) {
    const message = await findMessageOf(sql, teamId, id);
    if (!message) return;
    throw fail('topic_in_use', {
      detail: 'A message uses the topic.',
      meta: { resource: 'topic', message_id: message.id },
    });
  },
});

export const archiveTopic = standard.archive({
  summary: 'Archive a topic; it is no longer offered to recipients or new messages',
  description:
    'Archives a topic. The preference center offers it no longer, and no further message can name ' +
    'it. Messages that name it are sent by the consents as before. It can be unarchived.',
});

export const unarchiveTopic = standard.unarchive({
  summary: 'Unarchive a topic',
  description:
    'Unarchives a topic: the preference center offers it again, and messages can ' +
    'name it. The consents are as they were. A topic that is not archived is refused with 409.',
});

export const topicEndpoints = [
  listTopics,
  createTopic,
  getTopic,
  updateTopic,
  deleteTopic,
  archiveTopic,
  unarchiveTopic,
];
