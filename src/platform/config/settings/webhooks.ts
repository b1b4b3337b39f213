import type { SettingGroups } from './setting.ts';

/** Webhooks in both directions, and files by SFTP. */
export const webhookSettings = {
  'inbound webhooks': {
    INBOUND_RETRY_SCHEDULE_SECONDS: {
      default: '`60,600,3600`',
      meaning: 'Pauses in seconds before a callback that could not be applied is tried again',
    },
    FILE_FETCH_RETRY_SCHEDULE_SECONDS: {
      default: '`10,60,300,1800,7200`',
      meaning:
        'Pauses in seconds before a file that could not be fetched is tried again ([file-sources.md](file-sources.md))',
    },
  },
  sftp: {
    SFTP_ENABLED: {
      default: '`true`',
      meaning: 'Whether a worker receives files by SFTP ([sftp.md](sftp.md))',
    },
    SFTP_PORT: {
      development: '`2222`, or any where it is taken',
      production: '`2222`',
      meaning: 'Port on which a worker receives files, at `HOST`',
    },
    SFTP_PUBLIC_HOST: {
      default: 'host of `PUBLIC_BASE_URL`',
      meaning: 'Host of the SFTP server that credentials name',
    },
    SFTP_PUBLIC_PORT: {
      development: 'the port that is served',
      production: '`22`',
      meaning: 'Port of the SFTP server that credentials name',
    },
    SFTP_PROXY_NETWORKS: {
      meaning:
        'Networks of balancers, CIDR separated by commas. Their connections must begin with a header of the PROXY protocol, version 1 or 2, and have the address that it names ([sftp.md](sftp.md))',
    },
  },
  webhooks: {
    WEBHOOK_RETRY_SCHEDULE_SECONDS: {
      development: '`0,1,2,3,4,5,5,5,5`',
      production: '`0,5,300,1800,7200,18000,36000,50400,72000,86400`',
      meaning:
        'Pause before each attempt, in seconds; how many there are is the number of attempts. 0 to 604800 each',
    },
    WEBHOOK_JITTER_PERCENT: {
      default: '`20`',
      meaning: 'Share by which each pause before a retry or a probe varies, 0 to 100',
    },
    WEBHOOK_MAX_AGE_SECONDS: {
      default: '`345600`',
      meaning: 'Age in seconds at which a delivery fails for good (96 h)',
    },
    WEBHOOK_TIMEOUT_SECONDS: {
      default: '`15`',
      meaning: 'Longest time of an attempt in seconds, body included, 1 to 30',
    },
    WEBHOOK_DISABLE_AFTER: {
      default: '`10`',
      meaning: 'Deliveries in a row that fail for good until a subscription is disabled',
    },
    WEBHOOK_BREAKER_TRIES: {
      development: '`1000`',
      production: '`10`',
      meaning: 'Tries in a minute from which 80 % failures open the circuit breaker',
    },
    WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: {
      development: '`1`',
      production: '`30`',
      meaning: 'Pause in seconds before the first probe; it doubles with each that fails',
    },
    WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: {
      development: '`5`',
      production: '`900`',
      meaning: 'Longest pause between probes in seconds',
    },
    WEBHOOK_LANES: {
      default: '`4`',
      meaning:
        'Lanes of healthy deliveries, 1 to 256. Must be the same in all workers: restart them together',
    },
    WEBHOOK_LANE_IDLE_SECONDS: {
      default: '`10`',
      meaning: 'Seconds for which a lane stays awake without work, 1 to 300',
    },
    WEBHOOK_ALLOW_HTTP: {
      development: '`true`',
      production: '`false`',
      meaning: 'Targets with `http:` and port 80; production refuses `true` at a public address',
    },
    WEBHOOK_ALLOW_LOOPBACK: {
      development: '`true`',
      production: '`false`',
      meaning:
        'Targets on this machine, and local names; production refuses `true` at a public address',
    },
    WEBHOOK_ALLOWED_NETWORKS: {
      meaning:
        'Networks of your own that may be called though they are private: CIDR, comma-separated',
    },
    EGRESS_DENIED_NETWORKS: {
      meaning:
        'Networks that are never called, although they are public or allowed: CIDR, comma-separated. Name your own public addresses and load balancers here',
    },
    EGRESS_DENIED_HOSTS: {
      meaning: 'Domains that are never called, each with all names below it, comma-separated',
    },
    EGRESS_ALLOWED_HOSTS: {
      meaning:
        'The only domains that are called, each with all names below it, comma-separated; an address without a name is then refused. Name providers of SMS and push and hosts of confirmed topics (`amazonaws.com`) too. Hosts of keys and certificates need no entry',
    },
    WEBHOOK_PROXY_URL: {
      meaning:
        'HTTP proxy for all webhooks. It resolves the names then, so it must refuse private addresses: a process does not start with one that opens a tunnel to 127.0.0.1, unless `WEBHOOK_ALLOW_LOOPBACK` is on. An example is [kubernetes/egress-proxy.conf](kubernetes/egress-proxy.conf)',
    },
    EGRESS_MAX_CONNECTIONS: {
      default: '`2048`',
      meaning:
        'Sockets of one process to receivers and providers, idle ones included, 64 to 65536. The limit of open files of the process must allow them. `onward_egress_waiting_requests` shows requests that wait at the limit',
    },
  },
} satisfies SettingGroups;
