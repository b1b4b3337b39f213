import type { Onward } from '../../../sdk/typescript/src/index.ts';
import { startListener } from './listener.ts';
import type { Event, Listener } from './listener.ts';

export interface Receiver extends Listener {
  subscriptionId: string;
}

/** Starts a listener on this machine and subscribes it. */
export async function subscribe(
  onward: Onward,
  name: string,
  eventTypes: readonly string[],
  answer: (event: Event) => number,
): Promise<Receiver> {
  const listener = await startListener(answer);
  const { id, signing_secret } = await onward.webhookSubscriptions.create({
    name,
    target_url: listener.url,
    event_types: [...eventTypes],
  });
  listener.trust(signing_secret);
  return { ...listener, subscriptionId: id };
}

export async function unsubscribe(onward: Onward, receiver: Receiver): Promise<void> {
  await onward.webhookSubscriptions.delete(receiver.subscriptionId);
  await receiver.close();
}
