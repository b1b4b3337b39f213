import type { SendingConfig } from '../../platform/config.ts';
import type { Sender } from './sender.ts';

const outage = { isSure: true, isUntried: true };

/**
 * Accepts nothing: messages of a channel without a provider wait, without using up an attempt,
 * until one is configured. A status `sent` would mislead partners.
 */
export const unconfiguredSender: Sender = {
  provider: 'mailbox',
  places: 1,
  reports: false,
  send: () => Promise.resolve({ kind: 'later', code: 'provider_not_configured', outage }),
  close: () => Promise.resolve(),
};

/** Channels whose messages wait because no provider is configured. */
export function unservedChannels({
  smtp,
  sms,
  push,
  usesMailbox,
}: Pick<SendingConfig, 'smtp' | 'sms' | 'push' | 'usesMailbox'>): string[] {
  if (usesMailbox) return [];
  return Object.entries({ email: smtp, sms, push })
    .filter(([, provider]) => provider === undefined)
    .map(([channel]) => channel);
}
