import type { SettingGroups } from './setting.ts';

/** Sending, batches and insights. */
export const sendingSettings = {
  sending: {
    SMTP_URL: { meaning: '`smtp://user:password@host:port` or `smtps://…` for e-mail' },
    SMTP_PRIVATE_LINK: {
      production: '`false`',
      meaning:
        'Production refuses an `smtp://` server elsewhere that offers no STARTTLS or no trusted certificate. `true` accepts one without STARTTLS, because nobody else reaches the network between',
    },
    SMTP_CONNECTIONS: {
      default: '`20`',
      meaning: 'SMTP connections of one worker, 1 to 200, and so messages that it sends together',
    },
    SMTP_FAMILY: {
      meaning:
        'The provider behind the server: `email_a`, `email_b` or `email_c`; its headers carry our ids',
    },
    SEND_EMAIL_FROM: { default: '`no-reply@<host>`', meaning: 'Address of e-mails that name none' },
    SENDING_DNS_SERVERS: {
      meaning:
        'Name servers that are asked for the records of sending domains: addresses separated by commas, each with a port where it is not 53. Those of the system by default',
    },
    SENDING_DOMAIN_RECHECK_SECONDS: {
      default: '`21600`',
      meaning:
        'Seconds within which a sending domain whose ownership record has disappeared sends nothing any more, 1 to 604,800; its records are looked up twice as often',
    },
    SENDING_SPF_INCLUDE: {
      meaning:
        'Mechanism that teams add to the SPF record of their sending domains, such as `include:spf.example.net`; shown with their DNS records',
    },
    SENDING_EXAMPLE_DOMAINS: {
      development: '`true`',
      production: '`false`',
      meaning:
        'Accepts senders of reserved names, such as `example.com` and `bank.example`, without a verified sending domain; production refuses `true` at a public address',
    },
    SENDING_OFFERED_TO: {
      meaning:
        'Teams that may send through the providers of these settings where they have none of their own: ids separated by commas. All by default',
    },
    SMS_SENDER: {
      meaning:
        'Kind of the SMS provider, `sms_a` or `sms_b`; needs `SMS_PROVIDER_URL` and `SMS_PROVIDER_KEY`',
    },
    SMS_PROVIDER_URL: { meaning: 'Address of the SMS provider, without the path of its messages' },
    SMS_PROVIDER_ACCOUNT: {
      meaning: 'Account (`sms_a`) or messaging profile (`sms_b`) at the SMS provider',
    },
    SMS_PROVIDER_KEY: { meaning: 'Secret of the account at the SMS provider' },
    SMS_FROM: { meaning: 'Number or name of text messages that name none' },
    SMS_SENDERS: {
      meaning:
        'Further numbers and names, separated by commas, that messages of teams without an SMS provider of their own may have as sender',
    },
    PUSH_SENDER: {
      meaning:
        'Kind of the push provider, `push_a` or `push_b`; needs `PUSH_PROVIDER_URL` and `PUSH_PROVIDER_KEY`',
    },
    PUSH_PROVIDER_URL: {
      meaning: 'Address of the push provider, without the path of its messages',
    },
    PUSH_PROVIDER_ACCOUNT: {
      meaning: 'Project (`push_a`) or application (`push_b`) at the push provider',
    },
    PUSH_PROVIDER_KEY: { meaning: 'Bearer token (`push_a`) or key (`push_b`)' },
    SEND_LEASE_SECONDS: {
      default: '`60`',
      meaning:
        'Seconds for which a worker claims a message, 2 to 600; a message without an outcome by then is sent again under the same id',
    },
    SEND_TIMEOUT_SECONDS: {
      default: '`15`',
      meaning: 'Longest time in seconds that a provider may take, 1 to 120; at most half the lease',
    },
    SEND_RETRY_SCHEDULE_SECONDS: {
      development: '`1,2,5,10`',
      production: '`30,300,1800,7200,14400,28800`',
      meaning: 'Pauses in seconds before further attempts to send a message',
    },
    SEND_PROBE_SCHEDULE_SECONDS: {
      development: '`1,2,5`',
      production: '`5,10,20,40,80,160,300`',
      meaning:
        'Pauses in seconds before each probe of a provider that accepts no message; the last one repeats',
    },
    MAILBOX_SENDS: {
      development: '`true`',
      production: '`false`',
      meaning:
        'Stores the messages of a channel without a provider in the mailbox and counts them as sent; otherwise they wait',
    },
    MAILBOX_PAGE: {
      development: '`true` on loopback',
      production: '`false`',
      meaning:
        'Shows `/mailbox` to everybody who reaches the API. Refused where `HOST` is not an address of this machine',
    },
    MAILBOX_PAGE_IS_PUBLIC: {
      default: '`false`',
      meaning:
        'Accepts `MAILBOX_PAGE` at any `HOST`: everybody there reads codes and messages of all teams',
    },
    NOTICES_PER_NETWORK: {
      default: '`200`',
      meaning:
        'Codes and confirmations that one network of clients (IPv4 address, IPv6 /64) may ask for in a team within a day. Needs `TRUSTED_PROXIES` behind a load balancer',
    },
    SMS_NOTICES_PER_TEAM: {
      default: '`10000`',
      meaning: 'Codes and confirmations by SMS in a team within a day, times its tier',
    },
    EMAIL_NOTICES_PER_TEAM: {
      default: '`100000`',
      meaning: 'Codes and confirmations by e-mail in a team within a day, times its tier',
    },
  },
  batches: {
    BATCH_CPU_SHARE: {
      default: '`0.5`',
      meaning:
        "Share of the time, 0.05 to 1, that a worker's batches and executions may be working; the rest is left to webhooks ([batch.md](batch.md))",
    },
  },
  insights: {
    INSIGHTS_CACHE_MIN_MS: {
      default: '`50`',
      meaning:
        'Answers that take this many milliseconds or longer are cached for ten minutes ([insights.md](insights.md)); 0 caches all, 3600000 practically none',
    },
  },
} satisfies SettingGroups;
