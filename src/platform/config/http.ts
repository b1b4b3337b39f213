import { integer, seconds } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import { createSettingsReader } from './settings-reader.ts';
import type { SettingsReader } from './settings-reader.ts';

/** Connections of a process, and the time for a slow client. */
export const connectionSettings = {
  maxConnections: integer('HTTP_MAX_CONNECTIONS', {
    default: 5_000,
    range: [16, 65_536],
    meaning:
      'Connections that a process serves, idle ones included; more are closed immediately. One address (IPv4, IPv6 /64) gets a quarter of them, and all of them with `TRUSTED_PROXIES`. The limit of open files of the process must allow them',
  }),
  headersTimeoutMs: seconds('HTTP_HEADERS_TIMEOUT_SECONDS', {
    default: 15,
    range: [1, 60],
    meaning:
      'Longest time from the opening of a connection, or from its last response, to the end of the headers of a request',
  }),
  requestTimeoutMs: seconds('HTTP_REQUEST_TIMEOUT_SECONDS', {
    default: 30,
    range: [1, 300],
    meaning: 'Longest time for the body of a request that sends no file',
  }),
  uploadTimeoutMs: seconds('HTTP_UPLOAD_TIMEOUT_SECONDS', {
    default: 3_600,
    range: [1, 86_400],
    meaning:
      'Longest time for a request that sends a file; at least `HTTP_HEADERS_TIMEOUT_SECONDS` and `HTTP_REQUEST_TIMEOUT_SECONDS` together. A file must also bring 16 KB in every 30 s',
  }),
};

export interface HttpLimits extends ValuesOf<typeof connectionSettings> {
  /** Limit of one address; equal to `maxConnections` if a proxy hides the addresses. */
  maxConnectionsPerAddress: number;
  /** Without a byte in either direction while a request is in progress. */
  stalledMs: number;
}

const stalledMs = 120_000;

export function readHttp(reader: SettingsReader, trustedProxies: number): HttpLimits {
  const given = readGroup(connectionSettings, reader);
  const { maxConnections, headersTimeoutMs, requestTimeoutMs, uploadTimeoutMs } = given;
  if (uploadTimeoutMs < headersTimeoutMs + requestTimeoutMs) {
    reader.problems.push(
      'HTTP_UPLOAD_TIMEOUT_SECONDS must be at least HTTP_HEADERS_TIMEOUT_SECONDS and HTTP_REQUEST_TIMEOUT_SECONDS together',
    );
  }
  return {
    ...given,
    maxConnectionsPerAddress: trustedProxies > 0 ? maxConnections : Math.ceil(maxConnections / 4),
    stalledMs,
  };
}

/** The limits of servers that read no settings, such as those of tests. */
export const defaultHttpLimits = readHttp(createSettingsReader({}, false), 1);
