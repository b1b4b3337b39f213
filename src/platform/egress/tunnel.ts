import http from 'node:http';
import https from 'node:https';
import { isIPv6, Socket } from 'node:net';
import { EgressError, errorCode } from './failure.ts';

/** A connection that is being opened: a caller that gives up reads its stage and closes it. */
export interface Opening {
  stage: 'dns' | 'proxy' | 'tcp' | 'tls';
  isGivenUp: boolean;
  close: () => void;
}

export interface TunnelTarget {
  hostname: string;
  port: number;
}

function refusal(status: number): EgressError {
  // 502–504: the proxy works and reports a failure of the target (Squid and Envoy use 503 for
  // that).
  if (status === 504) {
    return new EgressError('connect_timeout', 'the egress proxy could not reach the target (504)');
  }
  if (status === 502 || status === 503) {
    return new EgressError(
      'connection_refused',
      `the egress proxy could not reach the target (${status})`,
    );
  }
  return new EgressError('proxy_error', `the egress proxy refused the tunnel (${status})`);
}

/**
 * Response of an HTTP proxy to a request for a tunnel (RFC 9110 §9.3.6), with its socket. It does
 * not use undici's ProxyAgent, which reconnects endlessly when the proxy closes the connection
 * without a response.
 */
export function requestTunnel(
  proxy: URL,
  target: TunnelTarget,
  opening: Opening,
): Promise<{ status: number; socket: Socket }> {
  const host = isIPv6(target.hostname) ? `[${target.hostname}]` : target.hostname;
  const authority = `${host}:${target.port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? https : http).request(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(proxy.username === ''
          ? {}
          : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
      agent: false,
    });
    opening.close = () => request.destroy();
    request.once('error', (error) =>
      reject(new EgressError('proxy_error', `the egress proxy failed (${errorCode(error)})`)),
    );
    request.once('connect', (response, socket, head) => {
      socket.on('error', () => undefined);
      opening.close = () => socket.destroy();
      if (!(socket instanceof Socket)) {
        reject(new EgressError('proxy_error', 'the egress proxy answered on no socket'));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve({ status: response.statusCode ?? 0, socket });
    });
    request.end();
  });
}

/** Opens a tunnel. Throws EgressError. */
export async function openTunnel(
  proxy: URL,
  target: TunnelTarget,
  opening: Opening,
): Promise<Socket> {
  const { status, socket } = await requestTunnel(proxy, target, opening);
  if (status === 200) return socket;
  socket.destroy();
  throw refusal(status);
}
