import { isPrivateHost } from './hosts.ts';
import { readHttp } from './http.ts';
import type { HttpLimits } from './http.ts';
import type { SettingsReader } from './settings-reader.ts';

/** Addresses, logs and checks of a process. */
export interface ServiceConfig {
  host: string;
  port: number;
  /** TLS of the API and of the monitoring; undefined for plain HTTP behind a proxy. */
  tls: { certFile: string; keyFile: string } | undefined;
  /** Address that clients see, without a trailing slash. */
  publicBaseUrl: string;
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

export function readService(settings: SettingsReader): ServiceConfig {
  const { development, text, integer, flag, url } = settings;
  const port = integer('PORT', 3000, 1, 65_535);
  const trustedProxies = integer('TRUSTED_PROXIES', 0, 0, 10);
  return {
    host: text('HOST') ?? (development ? '127.0.0.1' : '0.0.0.0'),
    port,
    tls: readTls(settings),
    publicBaseUrl: readPublicBaseUrl(settings, port),
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
    checkResponses: flag('CHECK_RESPONSES', development),
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

function readTls({ problems, file }: SettingsReader): ServiceConfig['tls'] {
  const certFile = file('TLS_CERT_FILE');
  const keyFile = file('TLS_KEY_FILE');
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile !== undefined || keyFile !== undefined) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or none');
  }
  return undefined;
}
