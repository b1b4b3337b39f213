import { HttpError, failAll, refusalOf } from '../../platform/http/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import { requestSends, requireRequestable } from './request-sends.ts';
import type { RequestCall } from './request-sends.ts';
import type { SendRequest } from './send-request.ts';

/** A request for one send of a message. */
interface MessageSend {
  messageId: string;
  request: SendRequest;
}

/** Accepts sends of several messages, in the caller's transaction; each has its own outcome. */
export async function requestTogether(
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
