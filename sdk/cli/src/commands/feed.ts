import { isCode } from '../../../typescript/src/index.ts';
import type { Onward, WebhookEvent } from '../../../typescript/src/index.ts';
import { pauseUntil } from '../pause.ts';

const everyMs = 1_000;
/**
 * A transaction that commits late has the time of its start, so each poll overlaps the last one.
 */
const overlapMs = 30_000;

/** An event as a delivery shows it. */
export type DeliveredEvent = Pick<WebhookEvent, 'id' | 'timestamp'> & { type: string };

/**
 * The new events of a subscription, each once, in the order of their recording, until the signal
 * aborts. If the service is unavailable, the feed retries.
 */
export async function* followDeliveries(
  onward: Onward,
  subscriptionId: string,
  signal: AbortSignal,
  note: (line: string) => void,
): AsyncGenerator<DeliveredEvent> {
  const { listDeliveries, getDelivery } = onward.webhookSubscriptions;
  // The loop is the repetition.
  const options = { signal, maxRetries: 0 };
  const seen = new Map<string, number>();
  let latestMs = 0;
  let isAway = false;
  while (!signal.aborted) {
    try {
      const since = new Date(Math.max(0, latestMs - overlapMs));
      const filter = { inserted_at: { gte: since } };
      const query = { sort: 'inserted_at', page: { size: 100 }, filter } as const;
      for await (const { id, inserted_at } of listDeliveries(subscriptionId, query, options)) {
        if (seen.has(id)) continue;
        const { event } = await getDelivery(subscriptionId, id, { include: 'event' }, options);
        const atMs = Date.parse(inserted_at);
        seen.set(id, atMs);
        latestMs = Math.max(latestMs, atMs);
        if (isEvent(event)) yield event;
      }
      isAway = false;
    } catch (error) {
      if (hasEnded(signal)) return;
      if (!isOutage(error)) throw error;
      if (!isAway) note('The service does not answer. Asking again every second.');
      isAway = true;
    }
    for (const [id, atMs] of seen) if (atMs < latestMs - 2 * overlapMs) seen.delete(id);
    await pauseUntil(everyMs, signal);
  }
}

/** It may have aborted during the call. */
const hasEnded = ({ aborted }: AbortSignal) => aborted;

function isOutage(error: unknown): boolean {
  return (
    isCode(error, 'connection_failed', 'timed_out', 'unavailable', 'internal_error') ||
    isCode(error, 'unexpected_answer', 'rate_limited')
  );
}

function isEvent(event: unknown): event is DeliveredEvent {
  return typeof event === 'object' && event !== null && 'id' in event && 'type' in event;
}
