import type { SettingName } from './settings.ts';
import type { SettingsReader } from './settings-reader.ts';

/** Limits of the connections of a process, and of the time for a slow client. */
export interface HttpLimits {
  maxConnections: number;
  /** Limit of one address; equal to `maxConnections` if a proxy hides the addresses. */
  maxConnectionsPerAddress: number;
  /** From the opening of a connection, or from its last response, to the end of the headers. */
  headersTimeoutMs: number;
  /** From the end of the headers to the end of a body that is not a file. */
  requestTimeoutMs: number;
  /** For the whole request where it sends a file. */
  uploadTimeoutMs: number;
  /** Without a byte in either direction while a request is in progress. */
  stalledMs: number;
}

/** The limits of servers that read no settings, such as those of tests. */
export const defaultHttpLimits: HttpLimits = {
  maxConnections: 5_000,
  maxConnectionsPerAddress: 5_000,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 30_000,
  uploadTimeoutMs: 3_600_000,
  stalledMs: 120_000,
};

export function readHttp(settings: SettingsReader, trustedProxies: number): HttpLimits {
  const { integer, problems } = settings;
  const seconds = (name: SettingName, fallbackMs: number, max: number) =>
    integer(name, fallbackMs / 1_000, 1, max) * 1_000;
  const usual = defaultHttpLimits;
  const maxConnections = integer('HTTP_MAX_CONNECTIONS', usual.maxConnections, 16, 65_536);
  const limits = {
    maxConnections,
    maxConnectionsPerAddress: trustedProxies > 0 ? maxConnections : Math.ceil(maxConnections / 4),
    headersTimeoutMs: seconds('HTTP_HEADERS_TIMEOUT_SECONDS', usual.headersTimeoutMs, 60),
    requestTimeoutMs: seconds('HTTP_REQUEST_TIMEOUT_SECONDS', usual.requestTimeoutMs, 300),
    uploadTimeoutMs: seconds('HTTP_UPLOAD_TIMEOUT_SECONDS', usual.uploadTimeoutMs, 86_400),
    stalledMs: usual.stalledMs,
  };
  if (limits.uploadTimeoutMs < limits.headersTimeoutMs + limits.requestTimeoutMs) {
    problems.push(
      'HTTP_UPLOAD_TIMEOUT_SECONDS must be at least HTTP_HEADERS_TIMEOUT_SECONDS and HTTP_REQUEST_TIMEOUT_SECONDS together',
    );
  }
  return limits;
}
