import { Type } from 'typebox';
import { MessageDelivery } from '../../messaging/message-deliveries/message-delivery.ts';
import { requireRequestable } from '../../messaging/requested-sends/request-sends.ts';
import { SendRequest } from '../../messaging/requested-sends/send-request.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { Count, Id, OneOf } from '../../platform/schema/fields.ts';
import { applyItems, itemScopes } from '../apply-items.ts';
import { messagesSend } from '../catalog/messages-send.ts';
import { callOf, shownResult } from '../check-requested.ts';
import { ItemProblem } from '../ipaas/execution-request.ts';

/** Sends of one request at most. */
export const maxSends = 100;

const statuses = ['created', 'skipped', 'failed'] as const;
const SendReport = Type.Object(
  {
    summary: Type.Object({
      total: Count(),
      created: Count('Deliveries that wait to be sent'),
      skipped: Count('Deliveries that are not sent'),
      failed: Count('Sends that were refused'),
    }),
    results: Type.Array(
      Type.Object({
        index: Count('Place among the sends'),
        status: OneOf(statuses),
        resource_type: Type.Optional(Type.String()),
        id: Type.Optional(Id('The message delivery')),
        errors: Type.Array(ItemProblem, { description: 'Pointers begin at the body' }),
        output: Type.Optional(Type.Unsafe<unknown>(MessageDelivery)),
      }),
    ),
  },
  { title: 'message_send_report' },
);

export const sendMessageBatch = endpoint({
  id: 'sendMessageBatch',
  method: 'POST',
  path: '/v2/partner/messages/{id}/sends/batch',
  summary: 'Send a message to up to 100 recipients, with a result for each',
  description:
    'Sends a launched message whose trigger is on_request to up to 100 recipients, as the ' +
    'operation sendMessage does to one. Each send stands by itself: results has the message ' +
    'delivery of each, or what is wrong with it. Each repeat without an Idempotency-Key sends ' +
    'again.',
  errors: ['invalid_state_transition', 'conflict'],
  tag: 'Messages',
  scope: 'partner:message_sends:write',
  rateClass: 'bulk',
  audit: { none: 'contact_data' },
  bodyLimitBytes: 2_000_000,
  bodyLimitKeys: 400_000,
  body: Type.Object(
    { sends: Type.Array(SendRequest, { minItems: 1, maxItems: maxSends }) },
    { additionalProperties: false },
  ),
  bodyExample: {
    sends: [
      { contact_unique_id: 'crm-4711', data: { order_id: 'A-1001' } },
      { email: 'ada@example.com', data: { order_id: 'A-1002' } },
    ],
  },
  status: 202,
  response: SendReport,
  async handle(call) {
    const { sql, teamId, params, body } = call;
    const items = body.sends.map((send) => ({ message_id: params.id, ...send }));
    checkScopes(call.principal, ...itemScopes(messagesSend, items));
    await requireRequestable(sql, teamId, params.id);
    const { failureMode } = messagesSend;
    const how = { failureMode, isDry: false };
    const applied = await applyItems(messagesSend, callOf(call, 'ipaas'), items, how);
    const results = applied.map((result, index) => ({
      ...shownResult(result, index, `/sends/${String(index)}`),
      status: statuses.find((status) => status === result.status) ?? 'created',
    }));
    const count = (status: (typeof statuses)[number]) =>
      results.filter((one) => one.status === status).length;
    const summary = {
      total: results.length,
      created: count('created'),
      skipped: count('skipped'),
      failed: count('failed'),
    };
    return { summary, results };
  },
});

export const messageSendBatchEndpoints = [sendMessageBatch];
