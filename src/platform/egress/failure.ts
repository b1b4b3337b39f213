/**
 * Reasons for an incomplete response. `proxy_error` is a fault of the service's own egress proxy,
 * and `aborted` is caused by the service: neither counts against the target.
 */
export type EgressFailure =
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'connect_timeout'
  | 'timeout'
  | 'tls_error'
  | 'target_not_allowed'
  | 'response_too_large'
  | 'proxy_error'
  | 'aborted';

/**
 * A failure that is already classified. It carries no `code` on purpose: undici reconnects for ever
 * on connect errors with some of its own codes.
 */
export class EgressError extends Error {
  override name = 'EgressError';
  readonly failure: EgressFailure;
  readonly remoteIp: string | undefined;

  constructor(failure: EgressFailure, detail: string, remoteIp?: string) {
    super(detail);
    this.failure = failure;
    this.remoteIp = remoteIp;
  }
}

function stringProperty(error: unknown, name: 'code' | 'address'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}

export function errorCode(error: unknown): string {
  return stringProperty(error, 'code') ?? (error instanceof Error ? error.name : 'unknown');
}

const TLS_CODE = /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_)/;

/** Classifies a socket error before the connection was ready; `stage` marks a failed handshake. */
export function connectFailure(error: unknown, stage: 'tcp' | 'tls'): EgressError {
  if (error instanceof EgressError) return error;
  const code = errorCode(error);
  // Where several addresses were dialled, the first one speaks for all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const ip = stringProperty(first, 'address');
  if (code === 'ECONNREFUSED') {
    return new EgressError('connection_refused', 'the target refuses connections', ip);
  }
  if (code === 'ETIMEDOUT') {
    return new EgressError('connect_timeout', 'the target does not take connections', ip);
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new EgressError(
      'connection_reset',
      `the connection was cut while opening (${code})`,
      ip,
    );
  }
  if (stage === 'tls')
    return new EgressError('tls_error', `the TLS handshake failed (${code})`, ip);
  return new EgressError('connection_refused', `the target cannot be reached (${code})`, ip);
}

/** Classifies what ended an exchange after its connection was open. */
export function exchangeFailure(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new EgressError('response_too_large', 'the response headers exceed 16 KB');
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new EgressError('aborted', 'the service is stopping');
  }
  if (code.startsWith('HPE_')) {
    return new EgressError('connection_reset', `the answer is not HTTP/1.1 (${code})`);
  }
  if (TLS_CODE.test(code)) return new EgressError('tls_error', `TLS failed (${code})`);
  return new EgressError('connection_reset', `the connection was cut before the end (${code})`);
}

/** Whether the peer closed or reset the connection, as opposed to answering nonsense on it. */
export function isConnectionCut(error: unknown): boolean {
  const code = errorCode(error);
  if (code === 'UND_ERR_SOCKET') return error instanceof Error && /\bclosed$/.test(error.message);
  return code === 'ECONNRESET' || code === 'EPIPE';
}
