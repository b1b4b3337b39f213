import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { NotAnswered } from '../../local/call.ts';
import { openApi } from '../api.ts';
import type { Api, Credentials } from '../api.ts';

const Event = Type.Object({ id: Type.String(), type: Type.String(), timestamp: Type.String() });
export type Event = Static<typeof Event>;

const Delivery = Type.Object({ id: Type.String(), inserted_at: Type.String() });
const Deliveries = Type.Object({
  data: Type.Array(Delivery),
  page: Type.Object({ next_cursor: Type.Union([Type.String(), Type.Null()]) }),
});
const WithEvent = Type.Object({ event: Type.Optional(Event) });

const everyMs = 1_000;
const tokenMs = 10 * 60_000;
/**
 * A transaction that commits late has the time of its start, so each poll overlaps the last one.
 */
const overlapMs = 30_000;

/**
 * The new events of a subscription, each once, in the order of their recording, until the signal
 * aborts. If the service is unavailable, the feed retries.
 */
export async function* followDeliveries(
  credentials: Credentials,
  subscriptionId: string,
  signal: AbortSignal,
  say: (line: string) => void,
): AsyncGenerator<Event> {
  const path = `/v2/partner/webhook-subscriptions/${subscriptionId}/deliveries`;
  const seen = new Map<string, number>();
  let latestMs = 0;
  let isAway = false;
  let api: Api | undefined;
  let openedAtMs = 0;
  while (!signal.aborted) {
    try {
      if (!api || Date.now() - openedAtMs > tokenMs) {
        api = await openApi(credentials);
        openedAtMs = Date.now();
      }
      for await (const delivery of since(api, path, latestMs - overlapMs)) {
        if (seen.has(delivery.id)) continue;
        const { event } = await api.get(`${path}/${delivery.id}?include=event`, WithEvent);
        const atMs = Date.parse(delivery.inserted_at);
        seen.set(delivery.id, atMs);
        latestMs = Math.max(latestMs, atMs);
        if (event) yield event;
      }
      isAway = false;
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error;
      if (!isAway) say(`${error.message} Asking again every second.`);
      isAway = true;
      api = undefined;
    }
    for (const [id, atMs] of seen) if (atMs < latestMs - 2 * overlapMs) seen.delete(id);
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

async function* since(api: Api, path: string, fromMs: number) {
  const from = new Date(Math.max(0, fromMs)).toISOString();
  const query = `sort=inserted_at&page[size]=100&filter[inserted_at][gte]=${from}`;
  let after: string | null = '';
  while (after !== null) {
    const page: Static<typeof Deliveries> = await api.get(
      `${path}?${query}${after && `&page[after]=${encodeURIComponent(after)}`}`,
      Deliveries,
    );
    yield* page.data;
    after = page.page.next_cursor;
  }
}
