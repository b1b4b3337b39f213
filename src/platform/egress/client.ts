import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import {
  checkTargetHost,
  checkTargetUrl,
  type EgressRules,
  type ServerPurpose,
} from './address-rules.ts';
import { Connections, type EgressLoad } from './connections.ts';
import { createConnector } from './connector.ts';
import { download, type Download } from './download.ts';
import { exchange, type EgressResult } from './exchange.ts';
import { EgressError } from './failure.ts';
import { createDnsLookup, systemLookup, type Lookup } from './lookup.ts';
import { createProxyCheck, type ProxyBehavior } from './proxy-check.ts';

export type { Download } from './download.ts';
export type { EgressResult } from './exchange.ts';

export interface EgressOptions {
  rules: EgressRules;
  /** Sockets of the process, idle ones included. Default 2048. */
  maxConnections?: number;
  /** Requests of one owner to one origin at the same time; default 128. The others wait. */
  maxPerOwner?: number;
  /** Default: DNS servers of the system; the hosts file too where loopback is allowed. */
  lookup?: Lookup;
  /** For name, connect and TLS handshake together. Default 5000. */
  connectTimeoutMs?: number;
  /**
   * An HTTP proxy that all requests go through. It resolves the names; no request goes through it
   * until it has rejected an inside address, unless the rules allow loopback.
   */
  proxyUrl?: string;
  /** Further trusted certificate authorities, PEM. */
  ca?: string;
}

export interface EgressRequest {
  url: string;
  /** Connections are shared by requests of one owner, such as a subscription, and by no others. */
  owner: string;
  /** Those that belong to the connection or the framing (host, content-length …) are left out. */
  headers: Record<string, string>;
  /**
   * Limit over name, connection, headers and the whole body. A wait because of our own limits comes
   * before it and is `aborted` after half of it, at most after a second.
   */
  timeoutMs: number;
  signal?: AbortSignal;
  /** For what is no text: the result has its bytes, too. */
  wantsBytes?: boolean;
}

/** Where files are fetched from. */
export interface FileServer {
  /** A name, or an address; an IPv6 address is in brackets. */
  host: string;
  port: number;
  secure: boolean;
}

/** A server that speaks no HTTP. `purpose` decides on its ports; by default files. */
type Server = FileServer & { purpose?: ServerPurpose };

export interface Egress {
  /**
   * Every failure of address, network or target becomes a result. Rejects only with a TypeError, if
   * a header has characters that no header may have.
   */
  post: (request: EgressRequest & { body: Uint8Array | string }) => Promise<EgressResult>;
  get: (request: EgressRequest) => Promise<EgressResult>;
  /**
   * Opens a connection to a server of files or mail, with TLS or bare for SSH and SMTP. Host, port
   * and the addresses of the host are checked like those of every target. Throws EgressError.
   */
  connect: (target: Server) => Promise<Socket>;
  /** Trust of TLS that a caller starts on a bare connection. */
  secureContext: () => SecureContext;
  /** GETs `path` of a server over a connection of `connect` with TLS. Throws EgressError. */
  download: (
    socket: Socket,
    target: FileServer & { path: string; headers: Record<string, string> },
  ) => Promise<Download>;
  /** Response of the proxy to an inside address; undefined where no check is needed. */
  proxyBehavior: () => Promise<ProxyBehavior | undefined>;
  /** Sockets that are open or being opened. */
  connections: () => number;
  /** Connections that an owner may use now without closing those that other owners use. */
  shareOf: (owner: string) => number;
  /** For metrics. */
  load: () => EgressLoad;
  /** Ends all requests in flight as `aborted`. */
  close: () => Promise<void>;
}

const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function rawHeaders(headers: Record<string, string>): string[] {
  const raw = ['accept-encoding', 'identity'];
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    // Checked here, because undici would throw while the request occupies a connection.
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (!OWN_HEADERS.has(name.toLowerCase())) raw.push(name, value);
  }
  return raw;
}

/** The HTTP client for all addresses of partners. Throws if a setting is malformed. */
export function createEgress(settings: EgressOptions): Egress {
  const { rules, maxConnections = 2_048, maxPerOwner = 128, connectTimeoutMs = 5_000 } = settings;
  for (const cidr of [...rules.allowedNetworks, ...rules.deniedNetworks]) ipaddr.parseCIDR(cidr);
  const proxyUrl = settings.proxyUrl === undefined ? undefined : new URL(settings.proxyUrl);
  const proxyCheck =
    proxyUrl && !rules.allowLoopback ? createProxyCheck(proxyUrl, connectTimeoutMs) : undefined;
  let context: SecureContext | undefined;
  // Made for the first connection, since reading the root certificates takes 15 ms of a start.
  const secureContext = () =>
    (context ??= createSecureContext({
      minVersion: 'TLSv1.2',
      ...(settings.ca !== undefined && { ca: [...rootCertificates, settings.ca] }),
    }));
  const connect = createConnector({
    rules,
    connectTimeoutMs,
    lookup: settings.lookup ?? (rules.allowLoopback ? systemLookup : createDnsLookup()),
    secureContext,
    proxy: proxyUrl && { url: proxyUrl, check: proxyCheck },
  });
  const connections = new Connections(connect, { maxConnections, maxPerOwner });
  // The result for a text never changes; the addresses behind it are checked at every connection.
  const targets = new LRUCache<string, ReturnType<typeof checkTargetUrl>>({ max: 2_000 });
  const check = (text: string) => {
    const known = targets.get(text);
    if (known !== undefined) return known;
    const checked = checkTargetUrl(text, rules);
    targets.set(text, checked);
    return checked;
  };

  async function send(
    method: 'GET' | 'POST',
    { url: text, owner, headers, timeoutMs, signal, wantsBytes = false }: EgressRequest,
    body: Uint8Array | string | null,
  ): Promise<EgressResult> {
    const target = check(text);
    if (!target.ok) {
      return { kind: 'failed', code: 'target_not_allowed', detail: target.reason, durationMs: 0 };
    }
    const { origin, pathname, search } = target.url;
    const request = { owner, method, origin, path: pathname + search, timeoutMs, body, wantsBytes };
    return exchange(connections, { ...request, headers: rawHeaders(headers) }, signal);
  }

  async function open({ host, port, secure, purpose }: Server): Promise<Socket> {
    const checked = checkTargetHost(host, port, rules, purpose);
    if (!checked.ok) throw new EgressError('target_not_allowed', checked.reason);
    const target = { hostname: checked.hostname, port, secure };
    return new Promise((resolve, reject) => {
      connect(target, (...[error, socket]) => {
        if (error === null) resolve(socket);
        else reject(error);
      });
    });
  }

  return {
    connect: open,
    secureContext,
    download: (socket, { host, port, path, headers }) =>
      download(socket, new URL(`https://${host}:${String(port)}${path}`), rawHeaders(headers)),
    post: (request) => send('POST', request, request.body),
    get: (request) => send('GET', request, null),
    proxyBehavior: () => proxyCheck?.behavior() ?? Promise.resolve(undefined),
    connections: () => connections.size(),
    load: () => connections.load(),
    shareOf: (owner) => connections.shareOf(owner),
    close() {
      connections.close();
      return Promise.resolve();
    },
  };
}
