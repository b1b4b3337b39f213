import { endpoint } from '../../http/endpoint.ts';
import { fail } from '../../http/errors.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { lockForEdit, recordTemplateEvent } from '../templates/lifecycle.ts';
import { requireTemplate, touchTemplate } from '../templates/queries.ts';
import { Message, MessageCreate, maxMessages, messageFields } from './message.ts';
import { insertMessage, templateMessageSource } from './queries.ts';

const tag = 'Messages';
const path = '/v2/partner/templates/{id}/messages';

export const listTemplateMessages = listEndpoint({
  id: 'listTemplateMessages',
  path,
  summary: 'List the messages of a template',
  tag,
  scope: 'partner:messages:read',
  item: Message,
  fields: messageFields,
  defaultSort: 'position',
  async source({ sql, teamId, params: { id = '' } }) {
    await requireTemplate(sql, teamId, id);
    return templateMessageSource(teamId, id);
  },
});

export const createTemplateMessage = endpoint({
  id: 'createTemplateMessage',
  method: 'POST',
  path,
  summary: 'Add a message to a template, last or at a position',
  tag,
  scope: 'partner:messages:write',
  rateClass: 'write',
  bodyLimitBytes: 2_000_000,
  body: MessageCreate,
  status: 201,
  response: Message,
  async handle({ sql, teamId, params: { id }, body }) {
    const template = await lockForEdit(sql, teamId, id, 'message_ids');
    const count = template.message_ids.length;
    if (count >= maxMessages) {
      throw fail('quota_exceeded', {
        detail: `A template has at most ${String(maxMessages)} messages.`,
        meta: { quota: 'template_messages', limit: maxMessages },
      });
    }
    const { name, channel, purpose = 'marketing', from_email = null, position = count } = body;
    const { list_unsubscribe = channel === 'email' && purpose === 'marketing' } = body;
    const message = { name, channel, purpose, from_email, list_unsubscribe };
    const created = await insertMessage(sql, teamId, id, message, Math.min(position, count));
    const changed = await touchTemplate(sql, teamId, id);
    await recordTemplateEvent(sql, 'template.updated', changed, template);
    return created;
  },
});

export const messageEndpoints = [listTemplateMessages, createTemplateMessage];
