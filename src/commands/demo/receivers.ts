import { Type } from 'typebox';
import type { Api } from '../api.ts';
import { startListener } from './listener.ts';
import type { Event, Listener } from './listener.ts';

export interface Receiver extends Listener {
  subscriptionId: string;
}

const subscriptionsPath = '/v2/partner/webhook-subscriptions';
const Created = Type.Object({ id: Type.String(), signing_secret: Type.String() });

/** Starts a listener on this machine and subscribes it. */
export async function subscribe(
  api: Api,
  name: string,
  eventTypes: readonly string[],
  answer: (event: Event) => number,
): Promise<Receiver> {
  const listener = await startListener(answer);
  const body = { name, target_url: listener.url, event_types: eventTypes };
  const { id, signing_secret } = await api.post(subscriptionsPath, body, Created);
  listener.trust(signing_secret);
  return { ...listener, subscriptionId: id };
}

export async function unsubscribe(api: Api, receiver: Receiver): Promise<void> {
  await api.delete(`${subscriptionsPath}/${receiver.subscriptionId}`);
  await receiver.close();
}
