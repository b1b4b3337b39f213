import { checkScopes } from '../../platform/http/authorize.ts';
import { refusalOf } from '../../platform/http/errors.ts';
import { groupedEndpoint } from '../../platform/http/grouped-endpoint.ts';
import { MessageDelivery } from '../message-deliveries/message-delivery.ts';
import { requestTogether } from './request-together.ts';
import { SendRequest, furtherScopes } from './send-request.ts';

export const sendMessage = groupedEndpoint({
  id: 'sendMessage',
  method: 'POST',
  path: '/v2/partner/messages/{id}/sends',
  summary: 'Send a message to one recipient, now or at a given time',
  description:
    'Sends a launched message whose trigger is on_request to one recipient, ahead of campaigns. ' +
    'The answer is its message delivery: one that may not be sent has the status skipped with ' +
    'its reason. A template that is not launched, and a message with another trigger, is refused ' +
    'with 409. Each repeat without an Idempotency-Key sends again. Cancel it with the operation ' +
    'cancelMessageDelivery, and learn what happened with explainMessageDelivery.',
  errors: ['invalid_state_transition', 'conflict'],
  tag: 'Messages',
  scope: 'partner:message_sends:write',
  rateClass: 'execute',
  audit: { none: 'contact_data' },
  body: SendRequest,
  bodyExample: { contact_unique_id: 'crm-4711', data: { order_id: 'A-1001' } },
  status: 202,
  response: MessageDelivery,
  location: '/v2/partner/message-deliveries/{id}',
  together: {
    async handle({ sql, teamId, services: { keyring } }, calls) {
      const requests = calls.map(({ principal, params: { id: messageId }, body }) => {
        try {
          checkScopes(principal, ...furtherScopes(body));
          return { messageId, request: body };
        } catch (error) {
          return refusalOf(error);
        }
      });
      return requestTogether({ sql, teamId, keyring, isUrgent: true }, requests);
    },
  },
});

export const requestedSendEndpoints = [sendMessage];
