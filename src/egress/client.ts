import { validateHeaderName, validateHeaderValue } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { Agent, Client, Pool, type Dispatcher } from 'undici';
import { checkTargetUrl, type EgressRules } from './address-rules.ts';
import { createConnector, type Connector } from './connector.ts';
import { exchange, type Connection, type EgressResult, type ExchangeOptions } from './exchange.ts';
import { createDnsLookup, systemLookup, type Lookup } from './lookup.ts';

export type { EgressResult } from './exchange.ts';

export interface EgressOptions {
  rules: EgressRules;
  /** Default 32. What exceeds it waits, within its deadline. */
  maxConnectionsPerOrigin?: number;
  /** Default: DNS servers of the system; the hosts file too where loopback is allowed. */
  lookup?: Lookup;
  /** For name, connect and TLS handshake together. Default 5000. */
  connectTimeoutMs?: number;
  /** An HTTP proxy that all requests go through; it resolves the names and should filter, too. */
  proxyUrl?: string;
  /** Further trusted certificate authorities, PEM. */
  ca?: string;
}

export interface EgressRequest {
  url: string;
  /** Those that belong to the connection or the framing (host, content-length …) are left out. */
  headers: Record<string, string>;
  /** Limit over name, connection, headers and the whole body. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** For what is no text: the result has its bytes, too. */
  wantsBytes?: boolean;
}

export interface Egress {
  /**
   * Whatever address, network and target do becomes the result. Rejects only with a TypeError, if
   * a header has characters that no header may have.
   */
  post: (request: EgressRequest & { body: Uint8Array | string }) => Promise<EgressResult>;
  get: (request: EgressRequest) => Promise<EgressResult>;
  /** Ends everything under way as `aborted`. */
  close: () => Promise<void>;
}

const KEEP_ALIVE_MS = 30_000;
const MAX_HEADER_BYTES = 16_384;
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

function isExchange(options: Dispatcher.DispatchOptions): options is ExchangeOptions {
  return 'assign' in options && 'isSettled' in options;
}

/** One connection at a time; tells every exchange that it is given which one that is. */
function createClient(origin: URL, connector: Connector): Client {
  const connection: Connection = { remoteIp: undefined, requests: 0 };
  let latest: ExchangeOptions | undefined;
  const client = new Client(origin, {
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The exchange has one deadline over everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ({ hostname, protocol, port }, callback) => {
      const secure = protocol === 'https:';
      connector.connect(
        {
          hostname,
          secure,
          port: port === '' ? (secure ? 443 : 80) : Number(port),
          isWanted: () => latest?.isSettled() !== true,
        },
        (error, socket, remoteIp) => {
          connection.remoteIp = remoteIp;
          connection.requests = 0;
          if (error === null) callback(null, socket);
          else callback(error, null);
        },
      );
    },
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (options, handler) => {
    if (isExchange(options)) {
      latest = options;
      options.assign(connection);
    }
    return dispatch(options, handler);
  };
  return client;
}

function rawHeaders(headers: Record<string, string>): string[] {
  const raw = ['accept-encoding', 'identity'];
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    // Here, because a request that undici refuses would cost its pool a connection for good.
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (!OWN_HEADERS.has(name.toLowerCase())) raw.push(name, value);
  }
  return raw;
}

/** The one HTTP client for addresses that partners gave us. Throws if a setting is malformed. */
export function createEgress(settings: EgressOptions): Egress {
  const { rules, maxConnectionsPerOrigin = 32, connectTimeoutMs = 5_000 } = settings;
  for (const cidr of rules.allowedNetworks) ipaddr.parseCIDR(cidr);
  const connector = createConnector({
    rules,
    connectTimeoutMs,
    lookup: settings.lookup ?? (rules.allowLoopback ? systemLookup : createDnsLookup()),
    ca: settings.ca,
    proxyUrl: settings.proxyUrl,
  });
  const agent = new Agent({
    factory: (origin) =>
      new Pool(origin, {
        connections: maxConnectionsPerOrigin,
        factory: (poolOrigin) => createClient(poolOrigin, connector),
      }),
  });
  // The verdict on the text never changes; the addresses behind it are judged at every connection.
  const targets = new LRUCache<string, ReturnType<typeof checkTargetUrl>>({ max: 2_000 });
  const judge = (text: string) => {
    const known = targets.get(text);
    if (known !== undefined) return known;
    const verdict = checkTargetUrl(text, rules);
    targets.set(text, verdict);
    return verdict;
  };

  async function send(
    method: 'GET' | 'POST',
    { url: text, headers, timeoutMs, signal, wantsBytes = false }: EgressRequest,
    body: Uint8Array | string | null,
  ): Promise<EgressResult> {
    const target = judge(text);
    if (!target.ok) {
      return { kind: 'failed', code: 'target_not_allowed', detail: target.reason, durationMs: 0 };
    }
    const { origin, pathname, search } = target.url;
    const request = { method, origin, path: pathname + search, timeoutMs, body, wantsBytes };
    return exchange(agent, { ...request, headers: rawHeaders(headers) }, signal);
  }

  return {
    post: (request) => send('POST', request, request.body),
    get: (request) => send('GET', request, null),
    async close() {
      connector.close();
      await agent.destroy();
    },
  };
}
