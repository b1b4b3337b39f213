import { Type } from 'typebox';
import type { Static } from 'typebox';
import { MessageDelivery } from '../../messaging/message-deliveries/message-delivery.ts';
import type { MessageDeliveryRow } from '../../messaging/message-deliveries/message-delivery.ts';
import { requestSends, requireRequestable } from '../../messaging/requested-sends/request-sends.ts';
import type { Requested } from '../../messaging/requested-sends/request-sends.ts';
import { furtherScopes, sendFields } from '../../messaging/requested-sends/send-request.ts';
import { groupBy } from '../../platform/group-by.ts';
import { HttpError, refusalOf } from '../../platform/http/errors.ts';
import { Id } from '../../platform/schema/fields.ts';
import { operation } from '../operation-type.ts';
import type { OperationCall, Outcome } from '../operation-type.ts';

const Item = Type.Object({ message_id: Id(), ...sendFields }, { additionalProperties: false });
type Item = Static<typeof Item>;

export const messagesSend = operation({
  kind: 'messages.send',
  category: 'messages',
  summary: 'Send a message with the trigger on_request to a recipient, now or at a given time',
  notes:
    'An item whose recipient may not get the message is skipped, and skip_reason of its delivery ' +
    'says why. Items of files wait with the messages of campaigns; the others precede them.',
  idempotencyMode: 'keyed',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:message_sends:write'],
  outputScope: 'partner:messages:read',
  itemScopes: furtherScopes,
  rateLimitClass: 'bulk',
  audit: { none: 'contact_data' },
  input: Item,
  output: MessageDelivery,
  async apply(call, items) {
    const byMessage = groupBy(items, ({ message_id }) => message_id.toLowerCase());
    const outcomes = new Map<Item, Outcome<MessageDeliveryRow>>();
    // In one order, since a template may be locked.
    for (const id of [...byMessage.keys()].sort()) {
      const group = byMessage.get(id) ?? [];
      for (const [at, requested] of (await sendAll(call, id, group)).entries()) {
        const item = group[at];
        if (item) outcomes.set(item, outcomeOfSend(requested));
      }
    }
    return items.map((item) => outcomes.get(item) ?? { status: 'failed', errors: [] });
  },
});

async function sendAll(
  { sql, teamId, keyring, source }: OperationCall,
  messageId: string,
  items: readonly Item[],
): Promise<Requested[]> {
  const requestable = await requireRequestable(sql, teamId, messageId).catch(refusalOf);
  if (requestable instanceof HttpError) {
    const problems = requestable.problems.map((problem) => ({
      ...problem,
      meta: { ...problem.meta, pointer: '/message_id' },
    }));
    return items.map(() => ({ problems }));
  }
  const isUrgent = source === 'ipaas';
  return requestSends({ sql, teamId, keyring, isUrgent }, requestable, items);
}

function outcomeOfSend(requested: Requested): Outcome<MessageDeliveryRow> {
  if ('problems' in requested) return { status: 'failed', errors: requested.problems };
  const { delivery } = requested;
  return {
    status: delivery.status === 'skipped' ? 'skipped' : 'created',
    resource_type: delivery.type,
    resource_id: delivery.id,
    output: delivery,
  };
}
