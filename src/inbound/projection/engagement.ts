import type { Sql } from '../../platform/database/sql.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import type { EventToRecord } from '../../engagement/engagement-events/record.ts';
import { truncatedNetworkOf } from '../../engagement/engagement-events/network.ts';
import { earliestKeptMs } from '../../engagement/engagement-events/rules.ts';
import { maxCents } from '../../platform/schema/fields.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import { momentOf } from './concern.ts';
import type { Concern } from './concern.ts';
import { cutText } from '../../platform/cut-text.ts';

/**
 * Records events as engagement, once per delivery, under the key of the provider. A key that
 * repeats after its window is a new event, under the delivery's id. Returns the ids in the order of
 * the events; undefined for an event beyond the retention.
 */
export async function recordEvents(
  sql: Sql,
  concerns: readonly Concern[],
): Promise<(string | undefined)[]> {
  const kept = concerns.filter((concern) => isKept(momentOf(concern)));
  const [first] = kept;
  if (!first) return concerns.map(() => undefined);
  const recorded = await recordEngagement(
    sql,
    first.teamId,
    kept.map((concern) => ({ ...engagementOf(concern), unique_id: uniqueIdOf(concern) })),
  );
  const ids = new Map(kept.map((concern, at) => [concern, recorded[at]?.id]));
  const again = kept.filter((_, at) => recorded[at]?.status === 'duplicate');
  if (again.length > 0) {
    const events = again.map((concern) => ({
      ...engagementOf(concern),
      unique_id: `inb:${concern.deliveryId}`,
    }));
    const repeated = await recordEngagement(sql, first.teamId, events);
    again.forEach((concern, at) => ids.set(concern, repeated[at]?.id));
  }
  return concerns.map((concern) => ids.get(concern));
}

function uniqueIdOf({ deliveryId, receiverId, event: { key } }: Concern): string {
  const text = `inb:${receiverId}:${key ?? ''}`;
  return key === undefined || text.length > 255 ? `inb:${deliveryId}` : text;
}

function isKept(occurredAt: string): boolean {
  return Date.parse(occurredAt) >= earliestKeptMs(Date.now());
}

function engagementOf(concern: Concern): Omit<EventToRecord, 'unique_id'> {
  const { projection, link, deliveryId, receiverId } = concern;
  const { url, userAgent, ip, bounce, objective } = projection;
  const network = ip === undefined ? undefined : truncatedNetworkOf(ip);
  return {
    kind: projection.kind,
    channel: projection.channel,
    source: 'inbound',
    is_machine: projection.isMachine,
    occurred_at: momentOf(concern),
    receiver_id: receiverId,
    inbound_delivery_id: deliveryId,
    ...(link.contact_id !== undefined && { contact_id: link.contact_id }),
    ...(link.message_id !== undefined && { message_id: link.message_id }),
    ...(link.template_id !== undefined && { template_id: link.template_id }),
    ...(link.journey_id !== undefined && { journey_id: link.journey_id }),
    ...(link.message_delivery_id !== undefined && {
      message_delivery_id: link.message_delivery_id,
    }),
    ...(url !== undefined && url.length <= 2_048 && isSafeUrl(url, 'app') && { url }),
    ...(userAgent !== undefined && userAgent !== '' && { user_agent: cutText(userAgent, 512) }),
    ...(network !== undefined && { ip_truncated: network }),
    ...(isAmount(objective?.valueCents) && { value_cents: objective.valueCents }),
    ...(bounce && {
      properties: {
        bounce_class: bounce.class,
        ...(bounce.code !== undefined && { bounce_code: cutText(bounce.code, 255) }),
      },
    }),
  };
}

function isAmount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Math.abs(value ?? 0) <= maxCents;
}
