import { countRows } from '../../platform/database/count-rows.ts';
import { changedFields } from '../../platform/events/record.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { actionNotAllowed, fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { checkQuota } from '../../team/quota.ts';
import {
  findLastPosition,
  findMessageOf,
  insertTopic,
  lockTopic,
  requireTopic,
  stampTopic,
  topicSource,
  updateTopicRow,
} from './queries.ts';
import {
  Topic,
  TopicCreate,
  TopicPatch,
  maxTopics,
  topicListFields,
  writtenFields,
} from './topic.ts';
import type { TopicRow } from './topic.ts';

const tag = 'Topics';
const path = '/v2/partner/topics';
const readScope = 'partner:topics:read';
const writeScope = 'partner:topics:write';

export const listTopics = listEndpoint({
  id: 'listTopics',
  path,
  summary: 'List topics; archived ones only where a filter names is_archived',
  description:
    'Returns the subjects of marketing messages that recipients choose one by one, in the order ' +
    'of the preference center. Archived topics are returned only where a filter names is_archived.',
  tag,
  scope: readScope,
  item: Topic,
  fields: topicListFields,
  defaultSort: 'position',
  source: ({ teamId }) => topicSource(teamId),
});

export const createTopic = endpoint({
  id: 'createTopic',
  method: 'POST',
  path,
  summary: 'Create a topic that recipients can subscribe to and unsubscribe from',
  description:
    'Creates a topic. Name and description are shown to recipients. The default_consent is in ' +
    'effect for contacts that have made no choice and cannot be changed later: a changed default ' +
    'would subscribe people without their consent. A team has at most 50 topics. Name the ' +
    'topic as topic_id of marketing messages next.',
  errors: ['quota_exceeded', 'key_taken'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'topic.created',
  body: TopicCreate,
  status: 201,
  response: Topic,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body }) {
    await checkQuota(sql, teamId, {
      name: 'topics',
      of: 'topics',
      limit: maxTopics,
      count: countRows('topics'),
    });
    return insertTopic(sql, teamId, {
      name: body.name,
      description: body.description ?? null,
      position: body.position ?? (await findLastPosition(sql, teamId)),
      default_consent: body.default_consent ?? 'subscribed',
      localizations: body.localizations ?? {},
    });
  },
});

export const getTopic = endpoint({
  id: 'getTopic',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a topic',
  description:
    'Returns one topic. A topic is a subject that contacts choose apart from a channel, such ' +
    'as offers. Its default_consent counts for contacts that have chosen nothing.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: Topic,
  handle: ({ sql, teamId, params }) => requireTopic(sql, teamId, params.id),
});

export const updateTopic = endpoint({
  id: 'updateTopic',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update the texts or the position of a topic',
  description:
    'Changes the fields that the body names. The default_consent is fixed. Consents to the topic ' +
    'stay as they are, so a new name should mean the same subject.',
  errors: ['immutable_field', 'key_taken'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'topic.updated',
  body: TopicPatch,
  response: Topic,
  async handle({ sql, teamId, params, body, checkPrecondition }) {
    const before = await lockTopic(sql, teamId, params.id);
    checkPrecondition(before);
    const wanted = writeFields(before, body, writtenFields);
    if (wanted.default_consent !== before.default_consent) {
      throw fail('immutable_field', {
        detail: 'The default_consent of a topic cannot be changed; create another topic.',
        meta: { pointer: '/default_consent' },
      });
    }
    if (!changedFields(Topic, before, { ...before, ...wanted })) return before;
    return updateTopicRow(sql, teamId, before.id, wanted);
  },
});

export const deleteTopic = endpoint({
  id: 'deleteTopic',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a topic that no message names',
  description:
    'Deletes a topic permanently. One that a message names is refused with 409; archive it instead. ' +
    'Recorded consents stay in the history of the contacts. Messages of the topic that wait ' +
    'follow the consents to the end.',
  errors: ['topic_in_use'],
  tag,
  scope: 'partner:topics:delete',
  rateClass: 'write',
  audit: 'topic.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    checkPrecondition(await lockTopic(sql, teamId, id));
    const message = await findMessageOf(sql, teamId, id);
    if (message) {
      throw fail('topic_in_use', {
        detail: 'A message uses the topic.',
        meta: { resource: 'topic', message_id: message.id },
      });
    }
    await stampTopic(sql, teamId, id, { deleted_at: new Date().toISOString() });
    return undefined;
  },
});

export const archiveTopic = endpoint({
  id: 'archiveTopic',
  method: 'POST',
  path: `${path}/{id}/archive`,
  summary: 'Archive a topic; it is no longer offered to recipients or new messages',
  description:
    'Archives a topic. The preference center offers it no longer, and no further message can name ' +
    'it. Messages that name it are sent by the consents as before. It can be unarchived.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'topic.archived',
  response: Topic,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const topic = await lockTopic(sql, teamId, params.id);
    checkPrecondition(topic);
    if (topic.is_archived) throw illegal(topic, 'archive');
    return stampTopic(sql, teamId, topic.id, { archived_at: new Date().toISOString() });
  },
});

export const unarchiveTopic = endpoint({
  id: 'unarchiveTopic',
  method: 'POST',
  path: `${path}/{id}/unarchive`,
  summary: 'Unarchive a topic',
  description:
    'Unarchives a topic: the preference center offers it again, and messages can ' +
    'name it. The consents are as they were. A topic that is not archived is refused with 409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope: writeScope,
  rateClass: 'execute',
  audit: 'topic.unarchived',
  response: Topic,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const topic = await lockTopic(sql, teamId, params.id);
    checkPrecondition(topic);
    if (!topic.is_archived) throw illegal(topic, 'unarchive');
    return stampTopic(sql, teamId, topic.id, { archived_at: null });
  },
});

function illegal({ is_archived }: TopicRow, action: 'archive' | 'unarchive') {
  return is_archived
    ? actionNotAllowed('topic', { state: 'archived', action, allowed: ['unarchive'] })
    : actionNotAllowed('topic', { state: 'active', action, allowed: ['archive'] });
}

export const topicEndpoints = [
  listTopics,
  createTopic,
  getTopic,
  updateTopic,
  deleteTopic,
  archiveTopic,
  unarchiveTopic,
];
