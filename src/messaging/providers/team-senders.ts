import type { Egress } from '../../platform/egress/client.ts';
import { createEmailASender, createEmailBSender, createEmailCSender } from './email.ts';
import { withPreviousSecret } from './previous-secret.ts';
import { createPushBSender } from './push.ts';
import type { CheckedSender } from './sender.ts';
import { createServiceAccountSender } from './service-account.ts';
import { createSmsASender, createSmsBSender } from './sms.ts';
import type { ProviderSecrets, TeamProvider } from './team-provider.ts';
import { createTeamSmtpSender } from './team-smtp.ts';

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
