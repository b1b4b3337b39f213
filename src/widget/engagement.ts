import type { Principal, Recipient } from '../platform/auth/principal.ts';
import type { EventToRecord } from '../engagement/engagement-events/record.ts';
import { recipientOf } from './recipient.ts';

/**
 * The load of an enrollment widget by a visitor without a journey. A new contact gets the id of the
 * token, so that insights count both as one visitor.
 */
export function visitOf(
  { contactId, tokenId }: Recipient,
  { id, template_id }: { id: string; template_id: string | null },
): EventToRecord {
  return {
    source: 'widget',
    is_machine: false,
    channel: 'widget',
    widget_instance_id: id,
    kind: 'widget.loaded',
    occurred_at: new Date().toISOString(),
    unique_id: `visit:${String(tokenId)}`,
    ...(template_id !== null && { template_id }),
    ...(contactId === null ? { properties: { session_id: tokenId } } : { contact_id: contactId }),
  };
}

/** Fields of every event that a recipient causes: contact, place and widget. */
export function eventOf(
  principal: Principal,
  { id, template_id, contact_id }: { id: string; template_id: string; contact_id: string },
): Omit<EventToRecord, 'kind' | 'occurred_at'> {
  const { widgetInstanceId } = recipientOf(principal);
  return {
    source: 'widget',
    is_machine: false,
    journey_id: id,
    template_id,
    contact_id,
    ...(widgetInstanceId === null
      ? { channel: 'web' }
      : { channel: 'widget', widget_instance_id: widgetInstanceId }),
  };
}
