import { randomUUID } from 'node:crypto';
import { aSendingTemplate } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';

/** A transactional e-mail about an order, which its sends name. */
export const aReceipt = {
  name: 'Receipt',
  channel: 'email',
  purpose: 'transactional',
  trigger: { kind: 'on_request' },
  from_email: 'orders@shop.example',
  subject: 'Order {{ data.order.id }}',
  body_html: '<p>{{ contact.first_name }}: {{ data.order.id }}, {{ data.items }}</p>',
  data_schema: {
    type: 'object',
    properties: {
      order: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      items: { type: 'array', items: { type: 'string' } },
    },
    required: ['order'],
    additionalProperties: false,
  },
};

export const anOrder = (id: string = randomUUID()) => ({ order: { id }, items: ['tea', 'milk'] });

/** A launched message that is sent on request; gives the path of its sends. */
export async function aRequestable(team: TestTeam, fields: object = {}) {
  const template = await aSendingTemplate(team, [{ ...aReceipt, ...fields }]);
  const messageId = template.messageIds[0] ?? '';
  return { template, messageId, path: `/v2/partner/messages/${messageId}/sends` };
}
