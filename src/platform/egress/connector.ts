import net from 'node:net';
import tls from 'node:tls';
import { isForbiddenAddress, type EgressRules } from './address-rules.ts';
import { connectFailure, EgressError, errorCode } from './failure.ts';
import type { Lookup } from './lookup.ts';
import type { ProxyCheck } from './proxy-check.ts';
import { openTunnel, type Opening } from './tunnel.ts';

export interface ConnectTarget {
  hostname: string;
  port: number;
  secure: boolean;
}

/**
 * Calls back once: with an open socket to a vetted address, or with the reason why there is none.
 * The function that it returns gives up.
 */
export type Connector = (target: ConnectTarget, done: Done) => () => void;

/** The address is the target's own, thus absent behind a proxy. */
type Done = (
  ...outcome: [EgressError, null, undefined] | [null, net.Socket, string | undefined]
) => void;

export interface ConnectorOptions {
  rules: EgressRules;
  lookup: Lookup;
  connectTimeoutMs: number;
  secureContext: () => tls.SecureContext;
  /** All connections go through it; `check` is absent where inside addresses are allowed. */
  proxy?: { url: URL; check: ProxyCheck | undefined } | undefined;
}

const MAX_DIALLED_ADDRESSES = 4;

/** Resolves once per socket; one forbidden address rejects the name, because of DNS rebinding. */
async function vettedAddresses(
  hostname: string,
  { rules, lookup }: ConnectorOptions,
): Promise<readonly string[]> {
  if (net.isIP(hostname) !== 0) {
    const range = isForbiddenAddress(hostname, rules);
    if (range === false) return [hostname];
    throw new EgressError(
      'target_not_allowed',
      `addresses of this range (${range}) are not called`,
    );
  }
  const answers = await lookup(hostname).catch((error: unknown) => {
    throw new EgressError('dns_error', `the host name does not resolve (${errorCode(error)})`);
  });
  if (answers.length === 0) throw new EgressError('dns_error', 'the host name has no address');
  if (answers.some((ip) => isForbiddenAddress(ip, rules) !== false)) {
    // Without the range or the address: the caller must not learn what our resolver sees.
    throw new EgressError('target_not_allowed', 'the host name leads to where we do not call');
  }
  return answers.slice(0, MAX_DIALLED_ADDRESSES);
}

/**
 * The error listener stays: before undici listens, an error would be unhandled. A broken TLS record
 * is reported as an error that does not close the connection.
 */
function ready<S extends net.Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  return new Promise((resolve, reject) => {
    socket.on('error', (error) => {
      reject(error);
      socket.destroy();
    });
    socket.once(event, () => resolve(socket));
  });
}

function dial(
  addresses: readonly string[],
  port: number,
  timeoutMs: number,
  opening: Opening,
): Promise<net.Socket> {
  const vetted = addresses.map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }));
  const socket = net.connect({
    // Never resolved: the lookup below hands out the vetted addresses and nothing else.
    host: 'vetted.invalid',
    port,
    lookup: (_hostname, _options, answer) => answer(null, vetted),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(timeoutMs / MAX_DIALLED_ADDRESSES)),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  opening.stage = 'tcp';
  opening.close = () => socket.destroy();
  return ready(socket, 'connect');
}

function secured(
  socket: net.Socket,
  hostname: string,
  secureContext: tls.SecureContext,
  opening: Opening,
): Promise<net.Socket> {
  const secure = tls.connect({
    socket,
    host: hostname,
    // SNI carries names only (RFC 6066 §3); for an address `host` is what the certificate must
    // show.
    ...(net.isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    secureContext,
  });
  opening.stage = 'tls';
  opening.close = () => secure.destroy();
  return ready(secure, 'secureConnect');
}

function lateFailure(stage: Opening['stage'], timeoutMs: number): EgressError {
  switch (stage) {
    case 'dns':
      return new EgressError('dns_error', `the host name did not resolve within ${timeoutMs} ms`);
    case 'proxy':
      return new EgressError('proxy_error', `the egress proxy took more than ${timeoutMs} ms`);
    case 'tcp':
    case 'tls':
      return new EgressError('connect_timeout', `no connection (${stage}) within ${timeoutMs} ms`);
    default:
      return stage satisfies never;
  }
}

/**
 * Opens connections to targets for one client. Name, connect and TLS handshake share one limit.
 * Every new connection resolves and checks the address again; certificates must match the name.
 */
export function createConnector(options: ConnectorOptions): Connector {
  const { connectTimeoutMs, proxy, secureContext } = options;

  async function open(target: ConnectTarget, opening: Opening): Promise<net.Socket> {
    const { hostname, port, secure } = target;
    let socket: net.Socket;
    if (proxy === undefined) {
      const addresses = await vettedAddresses(hostname, options);
      if (opening.isGivenUp) throw new EgressError('aborted', 'given up');
      socket = await dial(addresses, port, connectTimeoutMs, opening);
    } else {
      if (net.isIP(hostname) !== 0) await vettedAddresses(hostname, options);
      opening.stage = 'proxy';
      await proxy.check?.require();
      if (opening.isGivenUp) throw new EgressError('aborted', 'given up');
      socket = await openTunnel(proxy.url, { hostname, port }, opening);
    }
    return secure ? secured(socket, hostname, secureContext(), opening) : socket;
  }

  return (target, done) => {
    const opening: Opening = { stage: 'dns', isGivenUp: false, close: () => undefined };
    let isOpen = false;
    const giveUp = (reason: EgressError) => {
      if (opening.isGivenUp || isOpen) return;
      opening.isGivenUp = true;
      clearTimeout(limit);
      opening.close();
      done(reason, null, undefined);
    };
    const limit = setTimeout(
      () => giveUp(lateFailure(opening.stage, connectTimeoutMs)),
      connectTimeoutMs,
    );
    open(target, opening).then(
      (socket) => {
        if (opening.isGivenUp) {
          socket.destroy();
          return;
        }
        if (socket.destroyed) {
          // undici would dial such a socket's target again and again.
          giveUp(new EgressError('connection_reset', 'the connection was cut while opening'));
          return;
        }
        isOpen = true;
        clearTimeout(limit);
        done(null, socket, proxy === undefined ? socket.remoteAddress : undefined);
      },
      (error: unknown) => giveUp(connectFailure(error, opening.stage === 'tls' ? 'tls' : 'tcp')),
    );
    return () => giveUp(new EgressError('aborted', 'given up'));
  };
}
