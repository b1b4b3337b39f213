import { isIP } from 'node:net';
import { inStoredForm } from '../schema/email.ts';
import { isUuid } from '../schema/fields.ts';
import { isLoopbackHost } from './hosts.ts';
import type { SettingName } from './settings.ts';
import type { SettingsReader } from './settings-reader.ts';
import { readSwitch } from './switches.ts';

/** Settings of message sending. */
export interface SendingConfig {
  /** Lease of a message; when it ends, the message is sent again under the same id. */
  leaseMs: number;
  /** Longest call of a provider for one message. */
  timeoutMs: number;
  /** Pauses before each retry of a message, in ms; after the last one it has failed. */
  retryScheduleMs: readonly number[];
  /** Pauses before each probe of a provider that accepts nothing, in ms; the last one repeats. */
  probeScheduleMs: readonly number[];
  /** Sender of e-mails that name none. */
  defaultFrom: string;
  domains: SendingDomainConfig;
  /** Numbers and names that text messages of teams without an SMS provider of their own may name. */
  smsSenders: readonly string[];
  notices: NoticeLimits;
  /** Whether the mailbox page is open to every caller of the API. */
  showsMailbox: boolean;
  /**
   * Whether the messages of a channel without a provider are stored in the mailbox and count as
   * sent.
   */
  usesMailbox: boolean;
  /**
   * Teams that may send through the providers below where they have none of their own; undefined:
   * all of them.
   */
  offeredTo: readonly string[] | undefined;
  smtp: SmtpConfig | undefined;
  sms: (ProviderConfig & { kind: 'sms_a' | 'sms_b' }) | undefined;
  push: (ProviderConfig & { kind: 'push_a' | 'push_b' }) | undefined;
}

/** Domains from which teams send. */
export interface SendingDomainConfig {
  /** Name servers of the checks; those of the system where it is empty. */
  dnsServers: readonly string[];
  /** A verified domain whose record has disappeared sends nothing after this time. */
  recheckMs: number;
  /** Mechanism that teams are advised to add to their SPF record. */
  spfInclude: string | undefined;
  /** Whether names that are reserved for examples need no verification. */
  acceptsExamples: boolean;
}

/** Codes and confirmations that people may request within a day. */
export interface NoticeLimits {
  /** From one network of clients in one team. */
  perNetwork: number;
  /** In a team of the standard tier. */
  perTeam: { email: number; sms: number };
}

export interface SmtpConfig {
  /** smtp://user:password@host:port or smtps://… */
  url: string;
  /** Whether a server without STARTTLS is refused; with smtps:// TLS comes first anyway. */
  requiresTls: boolean;
  /** Connections of one process. */
  connections: number;
  /** The provider behind the server; selects the headers that carry our ids. */
  family: 'email_a' | 'email_b' | 'email_c' | undefined;
}

/** A provider over HTTP. */
export interface ProviderConfig {
  url: string;
  /** Account, project or application at the provider. */
  account: string;
  key: string;
  /** Sender of text messages that name none: a number or a name. */
  from: string;
}

/** Fifteen hours in all in production. */
const retrySeconds = {
  production: [30, 300, 1_800, 7_200, 14_400, 28_800],
  development: [1, 2, 5, 10],
};
const probeSeconds = {
  production: [5, 10, 20, 40, 80, 160, 300],
  development: [1, 2, 5],
};

export function readSending(
  settings: SettingsReader,
  { host, publicHost }: { host: string; publicHost: string },
): SendingConfig {
  const { development, text, integer, schedule } = settings;
  const mode = development ? 'development' : 'production';
  return {
    leaseMs: integer('SEND_LEASE_SECONDS', 60, 2, 600) * 1_000,
    timeoutMs: integer('SEND_TIMEOUT_SECONDS', 15, 1, 120) * 1_000,
    retryScheduleMs: schedule('SEND_RETRY_SCHEDULE_SECONDS', retrySeconds[mode]),
    probeScheduleMs: schedule('SEND_PROBE_SCHEDULE_SECONDS', probeSeconds[mode]),
    defaultFrom: inStoredForm(text('SEND_EMAIL_FROM') ?? `no-reply@${publicHost}`),
    domains: readDomains(settings),
    smsSenders: readSmsSenders(settings),
    notices: {
      perNetwork: integer('NOTICES_PER_NETWORK', 200, 1, 1_000_000),
      perTeam: {
        email: integer('EMAIL_NOTICES_PER_TEAM', 100_000, 1, 100_000_000),
        sms: integer('SMS_NOTICES_PER_TEAM', 10_000, 1, 100_000_000),
      },
    },
    showsMailbox: readMailboxPage(settings, host),
    usesMailbox: readSwitch(settings, 'MAILBOX_SENDS'),
    offeredTo: readTeams(settings),
    smtp: readSmtp(settings),
    sms: readProvider(settings, smsSettings, ['sms_a', 'sms_b']),
    push: readProvider(settings, pushSettings, ['push_a', 'push_b']),
  };
}

function readDomains(settings: SettingsReader): SendingDomainConfig {
  const { problems, text, integer } = settings;
  const servers = text('SENDING_DNS_SERVERS');
  const dnsServers = servers?.split(',').map((server) => server.trim()) ?? [];
  if (!dnsServers.every(isServer)) {
    problems.push(
      'SENDING_DNS_SERVERS must be addresses separated by commas, such as 9.9.9.9 or [::1]:5353',
    );
  }
  return {
    dnsServers,
    recheckMs: integer('SENDING_DOMAIN_RECHECK_SECONDS', 21_600, 1, 604_800) * 1_000,
    spfInclude: text('SENDING_SPF_INCLUDE'),
    acceptsExamples: readSwitch(settings, 'SENDING_EXAMPLE_DOMAINS'),
  };
}

function readSmsSenders({ text }: SettingsReader): string[] {
  const named = [text('SMS_FROM'), ...(text('SMS_SENDERS')?.split(',') ?? [])];
  return named.flatMap((sender) => sender?.trim() || []);
}

/** An address of IPv4, or of IPv6 in brackets where a port follows. */
function isServer(text: string): boolean {
  const [, bracketed, address] = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::\d{1,5})?$/.exec(text) ?? [];
  return isIP(text) > 0 || isIP(bracketed ?? address ?? '') > 0;
}

function readTeams({ problems, text }: SettingsReader): readonly string[] | undefined {
  const teams = text('SENDING_OFFERED_TO')
    ?.split(',')
    .map((id) => id.trim().toLowerCase());
  if (teams && !teams.every(isUuid)) {
    problems.push('SENDING_OFFERED_TO must be ids of teams separated by commas');
  }
  return teams;
}

/** The page requires no credential, and shows codes and links of all teams. */
function readMailboxPage(
  { development, problems, warnings, flag }: SettingsReader,
  host: string,
): boolean {
  const isLocal = isLoopbackHost(host);
  const isShown = flag('MAILBOX_PAGE', development && isLocal);
  const isAccepted = flag('MAILBOX_PAGE_IS_PUBLIC', false);
  if (!isShown || isLocal) return isShown;
  const weakness = `MAILBOX_PAGE shows codes and messages of all teams to everybody who reaches HOST=${host}`;
  if (isAccepted) warnings.push(`${weakness}. Accepted by MAILBOX_PAGE_IS_PUBLIC=true`);
  else problems.push(`${weakness}: listen on 127.0.0.1, or set MAILBOX_PAGE_IS_PUBLIC=true`);
  return isShown;
}

function readSmtp(settings: SettingsReader): SmtpConfig | undefined {
  const { development, warnings, integer, flag, url, choice } = settings;
  const given = url('SMTP_URL', ['smtp:', 'smtps:']);
  const connections = integer('SMTP_CONNECTIONS', 20, 1, 200);
  const family = choice('SMTP_FAMILY', ['email_a', 'email_b', 'email_c']);
  const isPrivate = flag('SMTP_PRIVATE_LINK', false);
  if (given === undefined) return undefined;
  const { protocol, hostname } = new URL(given);
  const isOpen = protocol === 'smtp:' && !isLoopbackHost(hostname);
  if (isOpen && isPrivate) {
    warnings.push(`Mail to ${hostname} may travel without TLS. Accepted by SMTP_PRIVATE_LINK=true`);
  }
  const requiresTls = isOpen && !isPrivate && !development;
  return { url: given, requiresTls, connections, family };
}

/** Settings of a provider; push messages have no sender. */
interface ProviderSettings {
  kind: SettingName;
  url: SettingName;
  account: SettingName;
  key: SettingName;
  from?: SettingName;
}

const smsSettings: ProviderSettings = {
  kind: 'SMS_SENDER',
  url: 'SMS_PROVIDER_URL',
  account: 'SMS_PROVIDER_ACCOUNT',
  key: 'SMS_PROVIDER_KEY',
  from: 'SMS_FROM',
};
const pushSettings: ProviderSettings = {
  kind: 'PUSH_SENDER',
  url: 'PUSH_PROVIDER_URL',
  account: 'PUSH_PROVIDER_ACCOUNT',
  key: 'PUSH_PROVIDER_KEY',
};

function readProvider<const Kind extends string>(
  { problems, text, url, choice }: SettingsReader,
  names: ProviderSettings,
  kinds: readonly Kind[],
): (ProviderConfig & { kind: Kind }) | undefined {
  const kind = choice(names.kind, kinds);
  if (kind === undefined) return undefined;
  const base = url(names.url, ['http:', 'https:']);
  const key = text(names.key);
  if (base === undefined) problems.push(`${names.url} is required with ${kind}`);
  if (key === undefined) problems.push(`${names.key} is required with ${kind}`);
  const account = text(names.account) ?? '';
  const from = names.from === undefined ? undefined : text(names.from);
  return { kind, url: base ?? '', account, key: key ?? '', from: from ?? '' };
}
