import { canonicalHost, isLoopbackHost, isPrivateHost } from './hosts.ts';
import { readHttp } from './http.ts';
import type { HttpLimits } from './http.ts';
import type { SettingsReader } from './settings-reader.ts';
import { readSwitch } from './switches.ts';

/** Addresses, logs and checks of a process. */
export interface ServiceConfig {
  host: string;
  port: number;
  /** TLS of the API and of the monitoring; undefined for plain HTTP behind a proxy. */
  tls: { certFile: string; keyFile: string } | undefined;
  /** Address that clients see, without a trailing slash. */
  publicBaseUrl: string;
  hosts: HostsConfig;
  /** Where vulnerabilities are reported, as /.well-known/security.txt names it. */
  securityContact: string | undefined;
  /** Port of /healthz, /readyz and /metrics of a process. */
  metricsPort: number;
  /** Port of the metrics of the Temporal SDK; undefined for none. */
  temporalMetricsPort: number | undefined;
  logLevel: string;
  /** Reverse proxies in front of the API whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  http: HttpLimits;
  /** Requests of one address that do not prove who calls, in one process. */
  unauthenticated: { burst: number; perSecond: number };
  checkResponses: boolean;
  /** For tests: collects error codes that endpoints return without declaring them. */
  undeclaredErrorsFile: string | undefined;
  requestLog: boolean;
}

/** Names by which the service itself is reached; the tracking hosts of teams are in the database. */
export interface HostsConfig {
  names: readonly string[];
  /** Whether loopback names and addresses, and requests that name no host, reach the service. */
  acceptsLoopback: boolean;
}

export function readService(settings: SettingsReader): ServiceConfig {
  const { development, text, integer, flag, url } = settings;
  const port = integer('PORT', 3000, 1, 65_535);
  const publicBaseUrl = readPublicBaseUrl(settings, port);
  const tls = readTls(settings);
  const trustedProxies = readTrustedProxies(settings, publicBaseUrl, tls);
  return {
    host: text('HOST') ?? (development ? '127.0.0.1' : '0.0.0.0'),
    port,
    tls,
    publicBaseUrl,
    hosts: readHosts(settings, publicBaseUrl),
    securityContact: url('SECURITY_CONTACT', ['mailto:', 'https:']),
    metricsPort: integer('METRICS_PORT', 9465, 1, 65_535),
    temporalMetricsPort: settings.port('TEMPORAL_METRICS_PORT'),
    logLevel: text('LOG_LEVEL') ?? (development ? 'warn' : 'info'),
    trustedProxies,
    http: readHttp(settings, trustedProxies),
    unauthenticated: {
      burst: integer('UNAUTHENTICATED_BURST', 1_000, 1, 1_000_000),
      perSecond: integer('UNAUTHENTICATED_PER_SECOND', 50, 1, 1_000_000),
    },
    checkResponses: readSwitch(settings, 'CHECK_RESPONSES'),
    undeclaredErrorsFile: text('UNDECLARED_ERRORS_FILE'),
    requestLog: flag('REQUEST_LOG', true),
  };
}

/** Tokens, cookies and links of recipients are sent to this address, so production needs TLS. */
function readPublicBaseUrl(settings: SettingsReader, port: number): string {
  const { development, problems, url, required } = settings;
  const given = required(
    'PUBLIC_BASE_URL',
    url('PUBLIC_BASE_URL', ['http:', 'https:']),
    'the address that clients use, such as https://onward.example.com',
  );
  if (given === undefined) return `http://127.0.0.1:${String(port)}`;
  const { protocol, hostname } = new URL(given);
  if (!development && protocol !== 'https:' && !isPrivateHost(hostname)) {
    problems.push(
      'PUBLIC_BASE_URL must begin with https://: only a loopback or private host may use http://',
    );
  }
  return given;
}

function readHosts(
  { development, problems, text }: SettingsReader,
  publicBaseUrl: string,
): HostsConfig {
  const { hostname } = new URL(publicBaseUrl);
  const names = [hostname, ...(text('PUBLIC_HOSTS')?.split(',') ?? [])].flatMap((given) => {
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
function readTrustedProxies(
  { development, problems, warnings, text, integer }: SettingsReader,
  publicBaseUrl: string,
  tls: ServiceConfig['tls'],
): number {
  const trustedProxies = integer('TRUSTED_PROXIES', 0, 0, 10);
  const isBehindProxy = publicBaseUrl.startsWith('https:') && !tls;
  if (development || !isBehindProxy || trustedProxies > 0) return trustedProxies;
  const weakness =
    'PUBLIC_BASE_URL begins with https://, and without TLS_CERT_FILE a proxy must speak it: all clients have the address of the proxy and share its limits';
  if (text('TRUSTED_PROXIES') === undefined) {
    problems.push(`${weakness}. Set TRUSTED_PROXIES to the number of proxies`);
  } else warnings.push(`${weakness}. Accepted by TRUSTED_PROXIES=0`);
  return trustedProxies;
}

function readTls({ problems, file }: SettingsReader): ServiceConfig['tls'] {
  const certFile = file('TLS_CERT_FILE');
  const keyFile = file('TLS_KEY_FILE');
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile !== undefined || keyFile !== undefined) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or none');
  }
  return undefined;
}
