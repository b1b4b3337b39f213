import { choice, developmentSwitch, flag, integer, schedule, seconds, text, url } from './kinds.ts';

const http = ['http:', 'https:'];

export const sendingSettings = {
  smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:'], {
    meaning: '`smtp://user:password@host:port` or `smtps://…` for e-mail',
  }),
  smtpIsPrivate: flag('SMTP_PRIVATE_LINK', {
    default: false,
    shown: { development: '–' },
    meaning:
      'Production refuses an `smtp://` server elsewhere that offers no STARTTLS or no trusted certificate. `true` accepts one without STARTTLS, because nobody else reaches the network between',
  }),
  smtpConnections: integer('SMTP_CONNECTIONS', {
    default: 20,
    range: [1, 200],
    meaning: 'SMTP connections of one worker, and so messages that it sends together',
  }),
  smtpFamily: choice('SMTP_FAMILY', ['email_a', 'email_b', 'email_c'], {
    meaning: 'The provider behind the server; its headers carry our ids',
  }),
  defaultFrom: text('SEND_EMAIL_FROM', {
    shown: { development: '`no-reply@<host>`', production: '`no-reply@<host>`' },
    meaning: 'Address of e-mails that name none',
  }),
  dnsServers: text('SENDING_DNS_SERVERS', {
    meaning:
      'Name servers that are asked for the records of sending domains: addresses separated by commas, each with a port where it is not 53. Those of the system by default',
  }),
  recheckMs: seconds('SENDING_DOMAIN_RECHECK_SECONDS', {
    default: 21_600,
    range: [1, 604_800],
    meaning:
      'Time within which a sending domain whose ownership record has disappeared stops sending; its records are looked up twice as often',
  }),
  spfInclude: text('SENDING_SPF_INCLUDE', {
    meaning:
      'Mechanism that teams add to the SPF record of their sending domains, such as `include:spf.example.net`; shown with their DNS records',
  }),
  acceptsExamples: developmentSwitch('SENDING_EXAMPLE_DOMAINS', {
    risk: { opens: 'tenants send from reserved domains that nobody has verified', isRefused: true },
    meaning:
      'Accepts senders of reserved names, such as `example.com` and `bank.example`, without a verified sending domain; production refuses `true` at a public address',
  }),
  offeredTo: text('SENDING_OFFERED_TO', {
    meaning:
      'Teams that may send through the providers of these settings where they have none of their own: ids separated by commas. All by default',
  }),
  smsKind: choice('SMS_SENDER', ['sms_a', 'sms_b'], {
    meaning: 'Kind of the SMS provider; needs `SMS_PROVIDER_URL` and `SMS_PROVIDER_KEY`',
  }),
  smsUrl: url('SMS_PROVIDER_URL', http, {
    meaning: 'Address of the SMS provider, without the path of its messages',
  }),
  smsAccount: text('SMS_PROVIDER_ACCOUNT', {
    meaning: 'Account (`sms_a`) or messaging profile (`sms_b`) at the SMS provider',
  }),
  smsKey: text('SMS_PROVIDER_KEY', { meaning: 'Secret of the account at the SMS provider' }),
  smsFrom: text('SMS_FROM', { meaning: 'Number or name of text messages that name none' }),
  smsSenders: text('SMS_SENDERS', {
    meaning:
      'Further numbers and names, separated by commas, that messages of teams without an SMS provider of their own may have as sender',
  }),
  pushKind: choice('PUSH_SENDER', ['push_a', 'push_b'], {
    meaning: 'Kind of the push provider; needs `PUSH_PROVIDER_URL` and `PUSH_PROVIDER_KEY`',
  }),
  pushUrl: url('PUSH_PROVIDER_URL', http, {
    meaning: 'Address of the push provider, without the path of its messages',
  }),
  pushAccount: text('PUSH_PROVIDER_ACCOUNT', {
    meaning: 'Project (`push_a`) or application (`push_b`) at the push provider',
  }),
  pushKey: text('PUSH_PROVIDER_KEY', { meaning: 'Bearer token (`push_a`) or key (`push_b`)' }),
  leaseMs: seconds('SEND_LEASE_SECONDS', {
    default: 60,
    range: [2, 600],
    meaning:
      'Time for which a worker claims a message; a message without an outcome by then is sent again under the same id',
  }),
  timeoutMs: seconds('SEND_TIMEOUT_SECONDS', {
    default: 15,
    range: [1, 120],
    meaning: 'Longest call of a provider for one message; at most half the lease',
  }),
  retryScheduleMs: schedule('SEND_RETRY_SCHEDULE_SECONDS', {
    default: [30, 300, 1_800, 7_200, 14_400, 28_800],
    development: [1, 2, 5, 10],
    meaning: 'Pauses before further attempts to send a message; after the last one it has failed',
  }),
  probeScheduleMs: schedule('SEND_PROBE_SCHEDULE_SECONDS', {
    default: [5, 10, 20, 40, 80, 160, 300],
    development: [1, 2, 5],
    meaning: 'Pauses before each probe of a provider that accepts no message; the last one repeats',
  }),
  usesMailbox: developmentSwitch('MAILBOX_SENDS', {
    risk: {
      opens:
        'messages of a channel without a provider are kept in the mailbox and counted as sent, but reach nobody',
      isRefused: false,
    },
    meaning:
      'Stores the messages of a channel without a provider in the mailbox and counts them as sent; otherwise they wait',
  }),
  mailboxPage: flag('MAILBOX_PAGE', {
    default: false,
    development: true,
    shown: { development: '`true` on loopback' },
    meaning:
      'Shows `/mailbox` to everybody who reaches the API. Refused where `HOST` is not an address of this machine',
  }),
  mailboxPageIsPublic: flag('MAILBOX_PAGE_IS_PUBLIC', {
    default: false,
    meaning:
      'Accepts `MAILBOX_PAGE` at any `HOST`: everybody there reads codes and messages of all teams',
  }),
  noticesPerNetwork: integer('NOTICES_PER_NETWORK', {
    default: 200,
    range: [1, 1_000_000],
    meaning:
      'Codes and confirmations that one network of clients (IPv4 address, IPv6 /64) may request in a team within a day. Needs `TRUSTED_PROXIES` behind a load balancer',
  }),
  smsNotices: integer('SMS_NOTICES_PER_TEAM', {
    default: 10_000,
    range: [1, 100_000_000],
    meaning: 'Codes and confirmations by SMS in a team within a day, times its tier',
  }),
  emailNotices: integer('EMAIL_NOTICES_PER_TEAM', {
    default: 100_000,
    range: [1, 100_000_000],
    meaning: 'Codes and confirmations by e-mail in a team within a day, times its tier',
  }),
};
