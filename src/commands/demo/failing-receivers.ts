import { setTimeout as pause } from 'node:timers/promises';
import { LocalFailure } from '../../local/local-failure.ts';
import type { Onward } from '../../../sdk/typescript/src/index.ts';
import type { Receiver } from './receivers.ts';
import type { Timeline } from './timeline.ts';

const withinMs = 90_000;

/** Waits until the delivery log shows the delivery to a receiver that failed at first. */
export async function showRetries(
  { webhookSubscriptions }: Onward,
  receiver: Receiver,
  say: Timeline,
): Promise<void> {
  const delivery = await eventually(
    async () => (await webhookSubscriptions.listDeliveries(receiver.subscriptionId)).data[0],
    (found) => found?.status === 'delivered',
  );
  const attempts = String(delivery?.attempt_count ?? 0);
  say('flaky', `the delivery log agrees: delivered by attempt ${attempts}`);
}

/** Waits until a subscription whose receiver always fails is disabled. */
export async function showDisabling(
  { webhookSubscriptions }: Onward,
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
  const subscription = await webhookSubscriptions.get(subscriptionId);
  const failures = String(subscription.consecutive_permanent_failures);
  say(
    'broken',
    `disabled itself after ${failures} deliveries failed permanently; the others were notified`,
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
