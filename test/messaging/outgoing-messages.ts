import { randomUUID } from 'node:crypto';
import type { OutgoingMessage } from '../../src/messaging/providers/sender.ts';
import type { ProviderKind, TeamProvider } from '../../src/messaging/providers/team-provider.ts';
import { receiveUrl } from '../inbound/a-callback.ts';

/** Ids that callbacks of providers return. */
export const ids = {
  do_message_id: randomUUID(),
  do_contact_id: randomUUID(),
  do_journey_id: randomUUID(),
};
export const about = { teamId: randomUUID(), id: randomUUID(), correlation: ids };

/** A message of each channel, with all of its parts. */
export const messages: Record<TeamProvider['channel'], OutgoingMessage> = {
  email: {
    ...about,
    content: {
      ...{ channel: 'email', to: 'ada@example.com', replyTo: 'help@bank.example' },
      from: { name: 'Bänk, "Ltd"', address: 'hello@bank.example' },
      ...{ subject: 'Your card', html: '<p>Héllo</p>', text: 'Héllo' },
      unsubscribeUrl: 'https://api.example.com/unsubscribe/token',
    },
  },
  sms: {
    ...about,
    callbackUrl: receiveUrl,
    content: { channel: 'sms', to: '+14155550100', body: 'Hello, Ada' },
  },
  push: {
    ...about,
    content: {
      ...{ channel: 'push', tokens: ['newest', 'older'], title: 'Hi', body: 'Yo' },
      ...{ imageUrl: 'https://example.com/i.png', deepLink: 'bank://start', data: { step: 3 } },
    },
  },
};

export const senderAddresses = {
  ...{ email: ['hello@bank.example'], sms: ['+14155550199', 'BANK'], push: [] },
};

export function channelOf(kind: ProviderKind): TeamProvider['channel'] {
  if (kind.startsWith('email') || kind === 'smtp') return 'email';
  return kind.startsWith('sms') ? 'sms' : 'push';
}
