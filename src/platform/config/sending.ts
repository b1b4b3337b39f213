import { isIP } from 'node:net';
import { inStoredForm, isEmail } from '../schema/email.ts';
import { isUuid } from '../schema/fields.ts';
import { isLoopbackHost } from './hosts.ts';
import { sendingSettings } from './sending-settings.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

type Given = ValuesOf<typeof sendingSettings>;

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

export function readSending(
  reader: SettingsReader,
  { host, publicHost }: { host: string; publicHost: string },
): SendingConfig {
  const given = readGroup(sendingSettings, reader);
  const { leaseMs, timeoutMs, retryScheduleMs, probeScheduleMs, usesMailbox } = given;
  return {
    ...{ leaseMs, timeoutMs, retryScheduleMs, probeScheduleMs, usesMailbox },
    defaultFrom: senderOf(reader, given) ?? `no-reply@${publicHost}`,
    domains: domainsOf(reader, given),
    smsSenders: [given.smsFrom, ...(given.smsSenders?.split(',') ?? [])].flatMap(
      (sender) => sender?.trim() || [],
    ),
    notices: {
      perNetwork: given.noticesPerNetwork,
      perTeam: { email: given.emailNotices, sms: given.smsNotices },
    },
    showsMailbox: showsMailbox(reader, given, host),
    offeredTo: teamsOf(reader, given),
    smtp: smtpOf(reader, given),
    sms: providerOf(reader, 'sms', given.smsKind, {
      ...{ url: given.smsUrl, account: given.smsAccount, key: given.smsKey, from: given.smsFrom },
    }),
    push: providerOf(reader, 'push', given.pushKind, {
      ...{ url: given.pushUrl, account: given.pushAccount, key: given.pushKey },
    }),
  };
}

function senderOf({ problems }: SettingsReader, { defaultFrom }: Given): string | undefined {
  if (defaultFrom === undefined) return undefined;
  if (!isEmail(defaultFrom)) {
    problems.push('SEND_EMAIL_FROM must be an e-mail address, such as no-reply@bank.example');
  }
  return inStoredForm(defaultFrom);
}

function domainsOf({ problems }: SettingsReader, given: Given): SendingDomainConfig {
  const { recheckMs, spfInclude, acceptsExamples } = given;
  const dnsServers = given.dnsServers?.split(',').map((server) => server.trim()) ?? [];
  if (!dnsServers.every(isServer)) {
    problems.push(
      'SENDING_DNS_SERVERS must be addresses separated by commas, such as 9.9.9.9 or [::1]:5353',
    );
  }
  return { dnsServers, recheckMs, spfInclude, acceptsExamples };
}

/** An address of IPv4, or of IPv6 in brackets where a port follows. */
function isServer(text: string): boolean {
  const [, bracketed, address] = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::\d{1,5})?$/.exec(text) ?? [];
  return isIP(text) > 0 || isIP(bracketed ?? address ?? '') > 0;
}

function teamsOf({ problems }: SettingsReader, { offeredTo }: Given) {
  const teams = offeredTo?.split(',').map((id) => id.trim().toLowerCase());
  if (teams && !teams.every(isUuid)) {
    problems.push('SENDING_OFFERED_TO must be ids of teams separated by commas');
  }
  return teams;
}

/** The page requires no credential, and shows codes and links of all teams. */
function showsMailbox(
  { problems, warnings, text: textOf }: SettingsReader,
  { mailboxPage, mailboxPageIsPublic }: Given,
  host: string,
): boolean {
  if (!mailboxPage || isLoopbackHost(host)) return mailboxPage;
  // On another host the page must be asked for.
  if (textOf(sendingSettings.mailboxPage.name) === undefined) return false;
  const weakness = `MAILBOX_PAGE shows codes and messages of all teams to everybody who reaches HOST=${host}`;
  if (mailboxPageIsPublic) {
    warnings.push(`${weakness}. Accepted by MAILBOX_PAGE_IS_PUBLIC=true`);
  } else problems.push(`${weakness}: listen on 127.0.0.1, or set MAILBOX_PAGE_IS_PUBLIC=true`);
  return true;
}

function smtpOf({ development, warnings }: SettingsReader, given: Given): SmtpConfig | undefined {
  const { smtpUrl, smtpIsPrivate, smtpConnections: connections, smtpFamily: family } = given;
  if (smtpUrl === undefined) return undefined;
  const { protocol, hostname } = new URL(smtpUrl);
  const isOpen = protocol === 'smtp:' && !isLoopbackHost(hostname);
  if (isOpen && smtpIsPrivate) {
    warnings.push(`Mail to ${hostname} may travel without TLS. Accepted by SMTP_PRIVATE_LINK=true`);
  }
  const requiresTls = isOpen && !smtpIsPrivate && !development;
  return { url: smtpUrl, requiresTls, connections, family };
}

/** Push messages have no sender. */
function providerOf<const Kind extends string>(
  { problems }: SettingsReader,
  channel: 'sms' | 'push',
  kind: Kind | undefined,
  given: { [Field in keyof ProviderConfig]?: string | undefined },
): (ProviderConfig & { kind: Kind }) | undefined {
  if (kind === undefined) return undefined;
  const { url: address, account = '', key, from = '' } = given;
  const required = (value: string | undefined, field: 'Url' | 'Key') => {
    if (value !== undefined) return;
    problems.push(`${sendingSettings[`${channel}${field}`].name} is required with ${kind}`);
  };
  required(address, 'Url');
  required(key, 'Key');
  return { kind, url: address ?? '', account, key: key ?? '', from };
}
