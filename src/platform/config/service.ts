import { canonicalHost, isLoopbackHost, isPrivateHost } from './hosts.ts';
import { readHttp } from './http.ts';
import type { HttpLimits } from './http.ts';
import { choice, file, flag, integer, optionalPort, port, text, url } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const addressSettings = {
  host: text('HOST', {
    default: '0.0.0.0',
    development: '127.0.0.1',
    meaning: 'Address to listen on',
  }),
  port: port('PORT', {
    default: 3_000,
    shown: { development: '`3000`, or the next free one' },
    meaning: 'Port of the API',
  }),
  metricsPort: port('METRICS_PORT', {
    default: 9_465,
    shown: { development: '`9465`, or any where it is taken' },
    meaning:
      'Port of `/healthz`, `/readyz` and `/metrics` of a process, at `HOST`. Not for the public; each process on a machine needs its own',
  }),
  temporalMetricsPort: optionalPort('TEMPORAL_METRICS_PORT', {
    meaning:
      "Port of the Temporal SDK's own metrics of a worker, `/metrics` at `HOST`, without TLS. Not for the public; each worker on a machine needs its own",
  }),
  certFile: file('TLS_CERT_FILE', {
    meaning:
      'PEM file with the certificate chain of the API and of `METRICS_PORT`. With it and `TLS_KEY_FILE`, both ports speak HTTPS only (TLS 1.2 and 1.3). A renewed pair is used within seconds, without a restart',
  }),
  keyFile: file('TLS_KEY_FILE', { meaning: 'PEM file with the key of `TLS_CERT_FILE`' }),
  publicBaseUrl: url('PUBLIC_BASE_URL', ['http:', 'https:'], {
    required: 'the address that clients use, such as https://onward.example.com',
    shown: { development: '`http://127.0.0.1:<PORT>`' },
    meaning:
      'Address that clients use, without a trailing slash. Production accepts `http://` only with a loopback address, a private address or a private name (`localhost`, `.test`, `.local`, `.internal`, `.home.arpa`). It is the issuer of access tokens: a change ends all tokens',
  }),
  publicHosts: text('PUBLIC_HOSTS', {
    meaning:
      'Further host names by which clients reach the API, without scheme and port, separated by commas, such as an internal name. The host of `PUBLIC_BASE_URL` is known, and in development every loopback name; requests to unknown hosts are 421',
  }),
  securityContact: url('SECURITY_CONTACT', ['mailto:', 'https:'], {
    meaning:
      'Where vulnerabilities are reported, `mailto:…` or `https://…`; served at `/.well-known/security.txt`, which does not exist without it',
  }),
  trustedProxies: integer('TRUSTED_PROXIES', {
    default: 0,
    range: [0, 10],
    shown: { production: '`0`, required behind a proxy with TLS' },
    meaning:
      'Reverse proxies in front of the API whose `X-Forwarded-For` is trusted. Too many lets callers choose their address. With an `https://` `PUBLIC_BASE_URL` and no `TLS_CERT_FILE`, production needs it; `0` is then a warning at each start',
  }),
  logLevel: choice('LOG_LEVEL', logLevels, {
    default: 'info',
    development: 'warn',
    meaning: 'Lowest level of log lines, which are JSON on standard output',
  }),
  requestLog: flag('REQUEST_LOG', {
    default: true,
    meaning:
      'Stores the requests of each team, without their texts, for seven days (`npm run admin -- requests list`)',
  }),
};

/** Requests of one address that do not prove who calls, in one process. */
export const strangerSettings = {
  perSecond: integer('UNAUTHENTICATED_PER_SECOND', {
    default: 50,
    range: [1, 1_000_000],
    meaning:
      'Requests per second without valid credentials that an address may send for long, in one process',
  }),
  burst: integer('UNAUTHENTICATED_BURST', {
    default: 1_000,
    range: [1, 1_000_000],
    meaning:
      'Requests without valid credentials that an address may send in a burst, in one process',
  }),
};

type Given = ValuesOf<typeof addressSettings>;

/** Addresses, logs and limits of a process. */
export interface ServiceConfig extends Omit<
  Given,
  'certFile' | 'keyFile' | 'publicBaseUrl' | 'publicHosts'
> {
  /** TLS of the API and of the monitoring; undefined for plain HTTP behind a proxy. */
  tls: { certFile: string; keyFile: string } | undefined;
  /** Address that clients see, without a trailing slash. */
  publicBaseUrl: string;
  hosts: HostsConfig;
  http: HttpLimits;
  unauthenticated: ValuesOf<typeof strangerSettings>;
}

/** Names by which the service itself is reached; the tracking hosts of teams are in the database. */
export interface HostsConfig {
  names: readonly string[];
  /** Whether loopback names and addresses, and requests that name no host, reach the service. */
  acceptsLoopback: boolean;
}

export function readService(reader: SettingsReader): ServiceConfig {
  const { certFile, keyFile, publicHosts, ...given } = readGroup(addressSettings, reader);
  const { port: number, trustedProxies } = given;
  const publicBaseUrl = given.publicBaseUrl ?? `http://127.0.0.1:${String(number)}`;
  const tls = pairOf(reader, certFile, keyFile);
  checkBaseUrl(reader, publicBaseUrl);
  checkProxies(reader, trustedProxies, publicBaseUrl.startsWith('https:') && !tls);
  return {
    ...given,
    tls,
    publicBaseUrl,
    hosts: readHosts(reader, publicBaseUrl, publicHosts),
    http: readHttp(reader, trustedProxies),
    unauthenticated: readGroup(strangerSettings, reader),
  };
}

/** Tokens, cookies and links of recipients are sent to this address, so production needs TLS. */
function checkBaseUrl({ development, problems }: SettingsReader, publicBaseUrl: string): void {
  const { protocol, hostname } = new URL(publicBaseUrl);
  if (development || protocol === 'https:' || isPrivateHost(hostname)) return;
  problems.push(
    'PUBLIC_BASE_URL must begin with https://: only a loopback or private host may use http://',
  );
}

function readHosts(
  { development, problems }: SettingsReader,
  publicBaseUrl: string,
  publicHosts = '',
): HostsConfig {
  const { hostname } = new URL(publicBaseUrl);
  const further = publicHosts === '' ? [] : publicHosts.split(',');
  const names = [hostname, ...further].flatMap((given) => {
    const name = canonicalHost(given.trim());
    if (name === undefined) {
      problems.push(
        'PUBLIC_HOSTS must be host names without scheme and port, separated by commas, such as onward-api,onward.internal',
      );
    }
    return name ?? [];
  });
  return { names, acceptsLoopback: development || isLoopbackHost(hostname) };
}

/** Behind a proxy that is not counted, all clients would share one address with its limits. */
function checkProxies(
  { development, problems, warnings, text: given }: SettingsReader,
  trustedProxies: number,
  isBehindProxy: boolean,
): void {
  if (development || !isBehindProxy || trustedProxies > 0) return;
  const weakness =
    'PUBLIC_BASE_URL begins with https://, and without TLS_CERT_FILE a proxy must speak it: all clients have the address of the proxy and share its limits';
  if (given(addressSettings.trustedProxies.name) === undefined) {
    problems.push(`${weakness}. Set TRUSTED_PROXIES to the number of proxies`);
  } else warnings.push(`${weakness}. Accepted by TRUSTED_PROXIES=0`);
}

function pairOf(
  { problems }: SettingsReader,
  certFile: string | undefined,
  keyFile: string | undefined,
): ServiceConfig['tls'] {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile !== undefined || keyFile !== undefined) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or none');
  }
  return undefined;
}
