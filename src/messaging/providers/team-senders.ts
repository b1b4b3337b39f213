import type { Egress } from '../../platform/egress/client.ts';
import { createEmailASender, createEmailBSender, createEmailCSender } from './email.ts';
import { createPushBSender } from './push.ts';
import type { CheckedSender, SendResult } from './sender.ts';
import { createServiceAccountSender } from './service-account.ts';
import { createSmsASender, createSmsBSender } from './sms.ts';
import type { ProviderSecrets, TeamProvider } from './team-provider.ts';
import { createTeamSmtpSender } from './team-smtp.ts';

/** Codes of providers that reject the credentials of a request. */
const rejections = [
  ...['http_401', 'http_403', 'token_rejected', 'invalid_credentials'],
  ...['smtp_eauth', 'smtp_530', 'smtp_534', 'smtp_535'],
];
/** Time for which the secret that works is tried first, so that logins do not fail all the time. */
const preferenceMs = 60_000;

const isRejected = (result: SendResult) =>
  result.kind === 'later' && rejections.includes(result.code);

/** Sends with the previous secret while the provider rejects the current one. */
function withPreviousSecret(current: CheckedSender, previous: CheckedSender): CheckedSender {
  let previousUntilMs = 0;
  return {
    ...current,
    async send(message, timeoutMs) {
      const startedAt = performance.now();
      const isReversed = startedAt < previousUntilMs;
      const [first, second] = isReversed ? [previous, current] : [current, previous];
      const result = await first.send(message, timeoutMs);
      const leftMs = timeoutMs - (performance.now() - startedAt);
      if (!isRejected(result) || leftMs < 1) return result;
      const other = await second.send(message, leftMs);
      if (isRejected(other)) return result;
      previousUntilMs = isReversed ? 0 : performance.now() + preferenceMs;
      return other;
    },
    async close() {
      await Promise.all([current.close(), previous.close()]);
    },
  };
}

export type { CheckedSender as TeamSender } from './sender.ts';

interface Tools {
  egress: Egress;
  /** Connections of this process to one SMTP server. */
  connections: number;
}

const httpSenders = {
  email_a: createEmailASender,
  email_b: createEmailBSender,
  email_c: createEmailCSender,
  sms_a: createSmsASender,
  sms_b: createSmsBSender,
  push_a: createServiceAccountSender,
  push_b: createPushBSender,
};

/** The way out through a provider of a team. Its connections are used by no other provider. */
export function createTeamSender(
  provider: TeamProvider,
  { current, previous }: ProviderSecrets,
  tools: Tools,
): CheckedSender {
  const sender = createSender(provider, current, tools);
  return previous === undefined
    ? sender
    : withPreviousSecret(sender, createSender(provider, previous, tools));
}

function createSender(provider: TeamProvider, key: string, tools: Tools): CheckedSender {
  const { id, kind, account, senders } = provider;
  if (kind === 'smtp') return createTeamSmtpSender(provider, key, tools);
  const url = provider.url.replace(/\/$/, '');
  const config = { url, account: account ?? '', key, from: senders[0] ?? '' };
  return httpSenders[kind](tools.egress, config, id);
}
