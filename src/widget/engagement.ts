import type { Principal } from '../platform/auth/principal.ts';
import type { EventToRecord } from '../engagement/engagement-events/record.ts';
import { recipientOf } from './recipient.ts';

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
