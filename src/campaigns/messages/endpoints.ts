import { changedFields } from '../../platform/events/record.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { actionNotAllowed, immutable } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { requireTemplate } from '../templates/queries.ts';
import {
  addStep,
  changeStep,
  checkRoom,
  lockForStep,
  lockStep,
  placeFor,
  removeStep,
  stepIncludes,
} from '../templates/steps/edit.ts';
import { requireStep, stepSource } from '../templates/steps/queries.ts';
import { warningField } from '../rendering/warnings.ts';
import { contentOf } from './content.ts';
import {
  Message,
  MessageCreate,
  MessagePatch,
  TemplateMessage,
  blankMessage,
  messageFields,
  messageSteps,
  writtenFields,
} from './message.ts';
import type { MessageRow } from './message.ts';
import { withStats } from './queries.ts';

const tag = 'Messages';
const path = '/v2/partner/messages';
const ofTemplate = '/v2/partner/templates/{id}/messages';
const readScope = 'partner:messages:read';
const writeScope = 'partner:messages:write';
const bodyLimitBytes = 2_000_000;

export const listMessages = listEndpoint({
  id: 'listMessages',
  path,
  summary: 'List the messages of all templates; archived ones only where a filter names status',
  description:
    'Returns the messages of all templates. Archived messages are returned only where a ' +
    'filter names status. Each has the channel, purpose and trigger by which it is sent.',
  tag,
  scope: readScope,
  item: Message,
  fields: { ...messageFields, template_id: { type: 'id', filter: true } },
  defaultSort: 'position',
  includes: stepIncludes,
  source: ({ teamId }) => stepSource(messageSteps, teamId),
});

export const listTemplateMessages = listEndpoint({
  id: 'listTemplateMessages',
  path: ofTemplate,
  summary: 'List the messages of a template, with their delivery figures',
  description:
    'Returns the messages of one template with the figures of their deliveries. They come by ' +
    'position, and the figures count sent, delivered, opened and clicked ones.',
  tag,
  scope: readScope,
  item: TemplateMessage,
  fields: messageFields,
  defaultSort: 'position',
  includes: stepIncludes,
  async source({ sql, teamId, params: { id = '' } }) {
    await requireTemplate(sql, teamId, id);
    return withStats(stepSource(messageSteps, teamId, id));
  },
});

export const createTemplateMessage = endpoint({
  id: 'createTemplateMessage',
  method: 'POST',
  path: ofTemplate,
  summary: 'Add a message to a template, last or at a position',
  description:
    'Adds a message to a template, at the end or at a position. Its content is checked, and ' +
    'what is invalid is refused with 422 and its place. A locked template is refused with ' +
    '409. Render the message and send a test next.',
  errors: ['template_locked', 'quota_exceeded', 'sender_not_verified'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'message.created',
  bodyLimitBytes,
  bodyExample: {
    name: 'Welcome',
    channel: 'email',
    trigger: { kind: 'on_enroll' },
    from_email: 'hello@example.com',
    subject: 'Welcome, {{ contact.first_name }}',
    body_html: '<p>Your account is open.</p>',
  },
  body: MessageCreate,
  status: 201,
  response: Message,
  async handle({ sql, teamId, principal, params: { id }, body, services: { config } }) {
    const template = await lockForStep(sql, messageSteps, teamId, id);
    const { channel, purpose = 'marketing', trigger } = body;
    const list_unsubscribe = channel === 'email' && purpose === 'marketing';
    const respect_quiet_hours = trigger?.kind !== 'on_request' || purpose === 'marketing';
    const blank = { ...blankMessage, channel, list_unsubscribe, respect_quiet_hours };
    const requested = writeFields(blank, body, writtenFields);
    const { content, warnings } = await contentOf(sql, principal, blank, requested, {
      pageIds: template.page_ids,
      sending: config.sending,
    });
    const { position } = body;
    const row = await addStep<MessageRow>(sql, messageSteps, template, content, position);
    return { ...row, ...warningField(warnings) };
  },
});

export const getMessage = endpoint({
  id: 'getMessage',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a message',
  description:
    'Returns one message of a template with its content, variants and trigger. It has no side ' +
    'effects.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: Message,
  handle: ({ sql, teamId, params }) =>
    requireStep<MessageRow>(sql, messageSteps, teamId, params.id),
});

export const updateMessage = endpoint({
  id: 'updateMessage',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update or move a message, unless its template is locked',
  description:
    'Changes the fields that the body names, or moves the message to another position. The ' +
    'channel is fixed. A locked template is refused with 409. A change of the content ' +
    'increases version.',
  errors: ['template_locked', 'immutable_field', 'sender_not_verified'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'message.updated',
  bodyLimitBytes,
  body: MessagePatch,
  response: Message,
  async handle({ sql, teamId, principal, params, body, checkPrecondition, services: { config } }) {
    const locked = await lockStep<MessageRow>(sql, messageSteps, teamId, params.id);
    const { template, step: before } = locked;
    checkPrecondition(before);
    const requested = writeFields(before, body, writtenFields);
    const position = placeFor(messageSteps, template, before, body.position);
    if (!changedFields(Message, before, { ...before, ...requested, position })) return before;
    if (requested.channel !== before.channel) throw immutable('message', 'channel');
    const { content, warnings } = await contentOf(sql, principal, before, requested, {
      pageIds: template.page_ids,
      sending: config.sending,
    });
    const after = { ...before, ...content, position };
    const changed = Object.keys(changedFields(Message, before, after) ?? {});
    if (changed.length === 0) return { ...before, ...warningField(warnings) };
    const isNew = changed.some((name) => name !== 'name' && name !== 'position');
    const version = before.version + (isNew ? 1 : 0);
    const changes = { ...content, position, version };
    const row = await changeStep<MessageRow>(sql, messageSteps, template, before, changes);
    return { ...row, ...warningField(warnings) };
  },
});

export const deleteMessage = endpoint({
  id: 'deleteMessage',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a message, unless its template is locked',
  description:
    'Deletes a message permanently. A locked template is refused with 409. Archive a message ' +
    'instead to retain its figures.',
  errors: ['template_locked'],
  tag,
  scope: 'partner:messages:delete',
  rateClass: 'write',
  audit: 'message.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const { template, step } = await lockStep<MessageRow>(sql, messageSteps, teamId, params.id);
    checkPrecondition(step);
    await removeStep(sql, messageSteps, template, step);
    return undefined;
  },
});

/** Declares archive or unarchive: an archived message is not sent and comes behind the others. */
function archiving(
  id: string,
  name: 'archive' | 'unarchive',
  texts: Pick<Endpoint, 'summary' | 'description'>,
) {
  return endpoint({
    id,
    method: 'POST',
    path: `${path}/{id}/${name}`,
    ...texts,
    errors: [
      'template_locked',
      'invalid_state_transition',
      'quota_exceeded',
      'precondition_failed',
    ],
    tag,
    scope: writeScope,
    rateClass: 'execute',
    audit: `message.${name}d`,
    response: Message,
    async handle({ sql, teamId, params, checkPrecondition }) {
      const locked = await lockStep<MessageRow>(sql, messageSteps, teamId, params.id);
      const { template, step } = locked;
      checkPrecondition(step);
      const count = template.message_ids.length;
      if ((step.status === 'archived') === (name === 'archive')) throw illegal(step.status, name);
      if (name === 'unarchive') checkRoom(messageSteps, template);
      const changes =
        name === 'archive'
          ? { status: 'archived', position: count - 1 }
          : { status: 'draft', position: count };
      return changeStep<MessageRow>(sql, messageSteps, template, step, changes);
    },
  });
}

function illegal(state: string, action: string) {
  const allowed = [state === 'archived' ? 'unarchive' : 'archive'];
  return actionNotAllowed('message', { state, action, allowed });
}

export const archiveMessage = archiving('archiveMessage', 'archive', {
  summary: 'Archive a message; it is no longer sent and its figures are kept',
  description:
    'Archives a message, which is then not sent and comes after the others. Its figures ' +
    'stay. A locked template is refused with 409. It can be unarchived.',
});
export const unarchiveMessage = archiving('unarchiveMessage', 'unarchive', {
  summary: 'Unarchive a message as the last draft',
  description:
    'Unarchives a message, as a draft at the last position. A locked ' +
    'template, and one that has no room for another message, is refused. Move it with the ' +
    'operation updateMessage.',
});

export const messageEndpoints = [
  listMessages,
  listTemplateMessages,
  createTemplateMessage,
  getMessage,
  updateMessage,
  deleteMessage,
  archiveMessage,
  unarchiveMessage,
];
