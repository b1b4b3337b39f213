import type { Problem } from '../../platform/http/errors.ts';
import type { ProviderKind, TeamProvider } from '../providers/team-provider.ts';
import type { SendingProvider, SendingProviderCreate } from './sending-provider.ts';

/** Rules of sending providers, without I/O or clock. */

/**
 * Scopes of the client that sets where messages leave to: it receives their texts, with the addresses and their codes.
 */
export const scopesOfReceiver = ['partner:messages:read', 'partner:contacts:read'] as const;

/** Fields of a provider that clients write, without its secret. */
export interface ProviderContent extends Pick<
  SendingProvider,
  'name' | 'channel' | 'kind' | 'priority' | 'is_active' | 'url' | 'senders'
> {
  account: string | null;
  family: TeamProvider['family'];
}

/** The provider that a body makes; null is as good as absent. */
export function newProvider(body: SendingProviderCreate): ProviderContent {
  const { name, channel, kind, url, priority, is_active, account, family, senders } = body;
  return {
    ...{ name, channel, kind, url, priority: priority ?? 1, is_active: is_active ?? true },
    ...{ account: account ?? null, family: family ?? null, senders: senders ?? [] },
  };
}

interface KindRules {
  channel: TeamProvider['channel'];
  /** `login`: with a secret, or neither for a server of this machine. */
  account: 'login' | 'required' | 'optional' | 'none';
}

const rulesOf: Readonly<Record<ProviderKind, KindRules>> = {
  smtp: { channel: 'email', account: 'login' },
  email_a: { channel: 'email', account: 'required' },
  email_b: { channel: 'email', account: 'none' },
  email_c: { channel: 'email', account: 'required' },
  sms_a: { channel: 'sms', account: 'required' },
  sms_b: { channel: 'sms', account: 'optional' },
  push_a: { channel: 'push', account: 'none' },
  push_b: { channel: 'push', account: 'required' },
};

/** An account of an HTTP interface is a part of its paths and headers. */
const plainAccount = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Whether a provider gets a secret; only a mail server of this machine may require none. */
export function needsSecret({ kind, account }: Pick<ProviderContent, 'kind' | 'account'>): boolean {
  return kind !== 'smtp' || account !== null;
}

/** Whether a secret would be sent to another server than the one that it was written for. */
export function isOtherServer(before: ProviderContent, after: ProviderContent): boolean {
  return serverOf(before.url) !== serverOf(after.url);
}

function serverOf(text: string): string {
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

/** Settings that contradict the kind of a provider. `isLocal`: its server is on this machine. */
export function settingProblems(content: ProviderContent, isLocal: boolean): Problem[] {
  const { kind, channel, account, family, senders } = content;
  const { channel: channelOfKind, account: rule } = rulesOf[kind];
  const problems: Problem[] = [];
  if (channel !== channelOfKind) {
    problems.push(invalid('kind', 'channel', `${kind} is of the channel ${channelOfKind}.`));
  }
  if (account === null) {
    const isMissing = rule === 'required' || (rule === 'login' && !isLocal);
    if (isMissing)
      problems.push(invalid('account', 'required', `account is required for ${kind}.`));
  } else if (rule === 'none') {
    problems.push(invalid('account', 'unknown_field', `${kind} has no account.`));
  } else if (rule !== 'login' && !plainAccount.test(account)) {
    const detail = 'account must have letters, digits, dots, hyphens and underscores only.';
    problems.push(invalid('account', 'pattern', detail));
  }
  if (family !== null && kind !== 'smtp') {
    problems.push(invalid('family', 'unknown_field', 'family is for smtp only.'));
  }
  return [...problems, ...senderCountProblems(channelOfKind, senders.length)];
}

function senderCountProblems(channel: TeamProvider['channel'], count: number): Problem[] {
  if (channel === 'push' && count > 0) {
    return [invalid('senders', 'max_items', 'Push messages have no sender.')];
  }
  if (channel === 'email' && count !== 1) {
    return [invalid('senders', 'min_items', 'senders must have exactly one e-mail address.')];
  }
  if (channel === 'sms' && count === 0) {
    return [invalid('senders', 'min_items', 'senders must have at least one number or name.')];
  }
  return [];
}

export function invalid(field: string, rule: string, detail: string): Problem {
  return { code: 'validation_failed', detail, meta: { pointer: `/${field}`, rule } };
}

/** Settings about the SMS provider of the installation. */
export interface InstallationSenders {
  /** Numbers and names that teams without a provider of their own may name. */
  smsSenders: readonly string[];
  /** With examples such teams may name any sender, for development. */
  domains: { acceptsExamples: boolean };
}

/** Whether a text message may name a sender. `providers` are the active ones of its team. */
export function isAllowedSmsSender(
  { smsSenders, domains }: InstallationSenders,
  providers: readonly Pick<TeamProvider, 'channel' | 'senders'>[],
  sender: string,
): boolean {
  const own = providers.filter(({ channel }) => channel === 'sms');
  if (own.length > 0) return own.some(({ senders }) => senders.includes(sender));
  return domains.acceptsExamples || smsSenders.includes(sender);
}
