import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { LocalFailure } from '../../local/local-failure.ts';
import type { Api } from '../api.ts';
import type { Receiver } from './receivers.ts';
import type { Timeline } from './timeline.ts';

const Delivery = Type.Object({ status: Type.String(), attempt_count: Type.Integer() });
const Deliveries = Type.Object({ data: Type.Array(Delivery) });
const Subscription = Type.Object({
  is_disabled_for_failures: Type.Boolean(),
  consecutive_permanent_failures: Type.Integer(),
});

const withinMs = 90_000;

/** Waits until the delivery log shows the delivery to a receiver that failed at first. */
export async function showRetries(api: Api, receiver: Receiver, say: Timeline): Promise<void> {
  const path = `/v2/partner/webhook-subscriptions/${receiver.subscriptionId}/deliveries`;
  const delivery = await eventually(
    async () => (await api.get(path, Deliveries)).data[0],
    (found) => found?.status === 'delivered',
  );
  const attempts = String(delivery?.attempt_count ?? 0);
  say('flaky', `the delivery log agrees: delivered by attempt ${attempts}`);
}

/** Waits until a subscription whose receiver always fails is disabled. */
export async function showDisabling(
  api: Api,
  broken: Receiver,
  observer: Receiver,
  say: Timeline,
): Promise<void> {
  const { subscriptionId } = broken;
  await observer.waitFor(
    ({ type, data }) => type === 'webhook_subscription.disabled' && data.id === subscriptionId,
    'webhook_subscription.disabled',
    withinMs,
  );
  const subscription = await api.get(
    `/v2/partner/webhook-subscriptions/${subscriptionId}`,
    Subscription,
  );
  const failures = String(subscription.consecutive_permanent_failures);
  say(
    'broken',
    `disabled itself after ${failures} deliveries failed for good; the others were notified`,
  );
  if (!subscription.is_disabled_for_failures) {
    throw new LocalFailure('The subscription does not show that it is disabled.');
  }
}

async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const untilMs = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > untilMs) throw new LocalFailure('The delivery log does not show it in time.');
    await pause(250);
  }
}
