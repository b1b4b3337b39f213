import { checkScopes } from '../../platform/http/authorize.ts';
import { refusalOf, HttpError, failAll } from '../../platform/http/errors.ts';
import { groupedEndpoint } from '../../platform/http/grouped-endpoint.ts';
import { MessageDelivery } from '../message-deliveries/message-delivery.ts';
import { SendRequest, furtherScopes } from './send-request.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import { requestSends, requireRequestable } from './request-sends.ts';
import type { RequestCall } from './request-sends.ts';

/** A request for one send of a message. */
interface MessageSend {
  messageId: string;
  request: SendRequest;
}

/** Accepts sends of several messages, in the caller's transaction; each has its own outcome. */
async function requestTogether(
  call: RequestCall,
  requests: readonly (MessageSend | HttpError)[],
): Promise<(MessageDeliveryRow | HttpError)[]> {
  const allowed = requests.filter((one): one is MessageSend => !(one instanceof HttpError));
  const outcomes = new Map<MessageSend, MessageDeliveryRow | HttpError>();
  const byMessage = groupBy(allowed, (one) => one.messageId);
  // In one order, since a template that is due is locked until the end of the transaction.
  for (const messageId of [...byMessage.keys()].sort()) {
    const some = byMessage.get(messageId) ?? [];
    const found = await outcomesOf(
      call,
      messageId,
      some.map(({ request }) => request),
    );
    for (const [at, one] of some.entries()) {
      const outcome = found[at];
      if (outcome) outcomes.set(one, outcome);
    }
  }
  return requests.map((one) => {
    const outcome = one instanceof HttpError ? one : outcomes.get(one);
    if (outcome) return outcome;
    throw new Error('a send has no outcome');
  });
}

async function outcomesOf(
  call: RequestCall,
  messageId: string,
  requests: readonly SendRequest[],
): Promise<(MessageDeliveryRow | HttpError)[]> {
  const requestable = await requireRequestable(call.sql, call.teamId, messageId).catch(refusalOf);
  if (requestable instanceof HttpError) return requests.map(() => requestable);
  const requested = await requestSends(call, requestable, requests);
  return requested.map((one) => ('delivery' in one ? one.delivery : failAll(one.problems)));
}

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
