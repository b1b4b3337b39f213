import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { loadBy } from '../../platform/lists/related.ts';
import { contactInclude } from '../../contacts/include.ts';
import { requireContact } from '../../contacts/queries.ts';
import { Message } from '../../campaigns/messages/message.ts';
import { findMessages } from '../../campaigns/messages/queries.ts';
import { DeliveryExplanation, MessageDelivery, messageDeliveryFields } from './message-delivery.ts';
import {
  lockMessageDelivery,
  messageDeliverySource,
  requireMessageDelivery,
  setDeliveryStatus,
} from './queries.ts';
import { explain, mayCancel, statusAfter } from './rules.ts';
import { withdrawSend } from '../send-queue/waiting/queries.ts';

const tag = 'Message deliveries';
const path = '/v2/partner/message-deliveries';
const readScope = 'partner:messages:read';

const list = {
  tag,
  scope: readScope,
  item: MessageDelivery,
  fields: messageDeliveryFields,
  defaultSort: '-inserted_at',
  audit: { counted: 'message_delivery.read' },
  includes: {
    contact: contactInclude,
    message: {
      scope: readScope,
      item: Message,
      many: false,
      load: loadBy('message_id', findMessages),
    },
  },
} as const satisfies Partial<Parameters<typeof listEndpoint>[0]>;

export const listMessageDeliveries = listEndpoint({
  ...list,
  id: 'listMessageDeliveries',
  path,
  summary: 'List message deliveries, by message, template, contact or journey',
  description:
    'Returns the deliveries of messages to contacts, filtered by message, template, contact ' +
    'or journey. A skip_reason says why one was not sent. Most of each address is hidden.',
  source: ({ teamId }) => messageDeliverySource(teamId),
});

export const listContactMessageDeliveries = listEndpoint({
  ...list,
  id: 'listContactMessageDeliveries',
  path: '/v2/partner/contacts/{id}/message-deliveries',
  keyParams: ['id'],
  summary: 'List the message deliveries of a contact',
  description:
    'Returns the deliveries of messages to one contact. A skip_reason says why one was not ' +
    'sent.',
  errors: ['resource_erased', 'contact_merged'],
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return messageDeliverySource(teamId, contact.id);
  },
});

export const getMessageDelivery = endpoint({
  id: 'getMessageDelivery',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a message delivery',
  description:
    'Returns one delivery of a message with its status and the times of its steps. The ' +
    'address is masked. Use explainMessageDelivery to learn the reasons.',
  tag,
  scope: readScope,
  rateClass: 'read',
  audit: { counted: 'message_delivery.read' },
  response: MessageDelivery,
  handle: ({ sql, teamId, params }) => requireMessageDelivery(sql, teamId, params.id),
});

export const explainMessageDelivery = endpoint({
  id: 'explainMessageDelivery',
  method: 'GET',
  path: `${path}/{id}/explain`,
  summary: 'Explain why a message was or was not sent, and its outcome',
  description:
    'Returns why a message was or was not sent, and what happened to it. The reasons are ' +
    'derived from the delivery, and nothing is changed. Start here when a contact says that a ' +
    'message did not arrive.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: DeliveryExplanation,
  async handle({ sql, teamId, params }) {
    const delivery = await requireMessageDelivery(sql, teamId, params.id);
    return { delivery_id: delivery.id, status: delivery.status, ...explain(delivery) };
  },
});

export const cancelMessageDelivery = endpoint({
  id: 'cancelMessageDelivery',
  method: 'POST',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel a scheduled or queued message delivery',
  description:
    'Cancels a message that is scheduled or queued, so that it is not sent. A message that is ' +
    'being sent at this moment, or was sent, is refused with 409. It cannot be undone.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope: 'partner:messages:write',
  rateClass: 'execute',
  audit: 'message_delivery.canceled',
  response: MessageDelivery,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const delivery = await lockMessageDelivery(sql, teamId, params.id);
    checkPrecondition(delivery);
    const { status } = delivery;
    if (!mayCancel(status) || !(await withdrawSend(sql, teamId, delivery.id))) {
      throw fail('invalid_state_transition', {
        detail: mayCancel(status)
          ? 'The message is being sent at this moment.'
          : `A message delivery that is ${status} does not allow the action cancel.`,
        meta: {
          resource: 'message_delivery',
          state: status,
          action: 'cancel',
          allowed_actions: [],
        },
      });
    }
    return setDeliveryStatus(sql, delivery, statusAfter(status, 'canceled'));
  },
});

export const messageDeliveryEndpoints = [
  listMessageDeliveries,
  listContactMessageDeliveries,
  getMessageDelivery,
  explainMessageDelivery,
  cancelMessageDelivery,
];
