import { Client, type Dispatcher } from 'undici';
import type { Connector } from './connector.ts';
import { skipInterim } from './skip-interim.ts';

/** One connection, as far as exchanges care. */
export interface Connection {
  remoteIp: string | undefined;
  /** Requests sent over the socket that is open now. */
  requests: number;
  dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => void;
  /** Gives the connection back; it is used again. */
  release: () => void;
  /** Closes the connection. */
  discard: () => void;
}

/** The connections of one owner to one origin. */
interface Pool {
  name: string;
  owner: string;
  origin: string;
  inUse: number;
  /** The one used last is the last. */
  idle: OpenConnection[];
  waiting: Set<Use>;
}

/** `end` closes it without passing its place to another request. */
type OpenConnection = Connection & { pool: Pool; end: () => void };
/** Receives a free connection; undefined when the service stops. */
type Use = (connection: Connection | undefined) => void;

export interface ConnectionLimits {
  /** Sockets of all owners together, idle ones included. */
  maxConnections: number;
  /** Connections in use of one owner to one origin. */
  maxPerOwner: number;
}

/** Connections of the process, and requests that wait for one. */
export interface EgressLoad {
  /** The limit of the process. */
  limit: number;
  inUse: number;
  idle: number;
  /** Requests that wait since the process is at its limit. */
  waitingForProcess: number;
  /** Requests that wait since their owner is at its limit to one origin. */
  waitingForOwner: number;
  /** Requests so far that stopped waiting without a connection. */
  abandonedWaits: number;
}

const KEEP_ALIVE_MS = 30_000;
/** An idle connection counts as unused after this time. */
const UNUSED_AFTER_MS = 1_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Pools connections; each serves one request at a time and is reused for its owner only. At the
 * limit an idle connection of another owner is closed; if none is idle, owners wait in turn.
 */
export function createConnections(
  connect: Connector,
  { maxConnections, maxPerOwner }: ConnectionLimits,
) {
  const pools = new Map<string, Pool>();
  /** Open connections by owner. */
  const owned = new Map<string, number>();
  const open = new Set<OpenConnection>();
  /** Since when each is idle; the one that is for the longest time is the first. */
  const idle = new Map<OpenConnection, number>();
  const waiting = new Set<Pool>();
  let isClosed = false;
  let abandonedWaits = 0;

  function own({ owner }: Pool, change: 1 | -1): void {
    const after = (owned.get(owner) ?? 0) + change;
    if (after > 0) owned.set(owner, after);
    else owned.delete(owner);
  }

  function forget(pool: Pool): void {
    if (pool.inUse + pool.idle.length + pool.waiting.size === 0) pools.delete(pool.name);
  }

  function create(pool: Pool): OpenConnection {
    let giveUp: () => void = () => undefined;
    let isConnected = false;
    let beginAnswer: () => void = () => undefined;
    const client = new Client(pool.origin, {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The exchange has one deadline over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: ({ hostname, protocol, port }, callback) => {
        const secure = protocol === 'https:';
        const target = { hostname, secure, port: Number(port) || (secure ? 443 : 80) };
        giveUp = connect(target, (error, socket, remoteIp) => {
          connection.remoteIp = remoteIp;
          connection.requests = 0;
          isConnected = error === null;
          if (error !== null) {
            callback(error, null);
            return;
          }
          beginAnswer = skipInterim(socket);
          callback(null, socket);
        });
      },
    });
    const end = () => {
      if (!open.delete(connection)) return;
      own(pool, -1);
      if (idle.delete(connection)) pool.idle = pool.idle.filter((other) => other !== connection);
      else pool.inUse -= 1;
      forget(pool);
      if (!isConnected) giveUp();
      client.destroy().catch(() => undefined);
    };
    const discard = () => {
      end();
      serve();
    };
    const connection: OpenConnection = {
      pool,
      remoteIp: undefined,
      requests: 0,
      end,
      discard,
      dispatch(options, handler) {
        beginAnswer();
        client.dispatch(options, handler);
      },
      release() {
        if (!open.has(connection)) return;
        pool.inUse -= 1;
        pool.idle.push(connection);
        idle.set(connection, performance.now());
        if (!isConnected) end();
        if (waiting.size > 0) serve();
      },
    };
    client.on('disconnect', () => {
      isConnected = false;
      if (idle.has(connection)) discard();
    });
    open.add(connection);
    own(pool, 1);
    return connection;
  }

  /** A free connection for the pool, or undefined at a limit. */
  function take(pool: Pool): Connection | undefined {
    if (pool.inUse >= maxPerOwner) return undefined;
    let connection = pool.idle.pop();
    if (connection !== undefined) idle.delete(connection);
    else {
      const [oldest] = open.size < maxConnections ? [] : idle.keys();
      oldest?.end();
      if (open.size >= maxConnections) return undefined;
      connection = create(pool);
    }
    pool.inUse += 1;
    return connection;
  }

  /** Hands free connections to those who wait, one to each owner in turn. */
  function serve(): void {
    for (const pool of waiting) {
      const [use] = pool.waiting;
      const connection = use && take(pool);
      if (use === undefined || connection === undefined) continue;
      stopWaiting(pool, use);
      // To the end of those that wait.
      if (waiting.delete(pool)) waiting.add(pool);
      use(connection);
    }
  }

  function stopWaiting(pool: Pool, use: Use): void {
    pool.waiting.delete(use);
    if (pool.waiting.size === 0) waiting.delete(pool);
    forget(pool);
  }

  return {
    /**
     * Calls `use` with a connection of this owner as soon as one is free. The function that it
     * returns ends the wait.
     */
    acquire(owner: string, origin: string, use: Use): () => void {
      const name = `${owner} ${origin}`;
      const pool = pools.get(name) ?? {
        name,
        owner,
        origin,
        inUse: 0,
        idle: [],
        waiting: new Set(),
      };
      pools.set(name, pool);
      const connection = isClosed ? undefined : take(pool);
      if (isClosed || connection !== undefined) {
        use(connection);
        return () => undefined;
      }
      pool.waiting.add(use);
      waiting.add(pool);
      return () => {
        if (pool.waiting.has(use)) abandonedWaits += 1;
        stopWaiting(pool, use);
      };
    },
    /**
     * Connections that an owner may use now. At the limit of the process these are its own or an
     * equal share, whichever is more: further requests would close connections that other owners
     * are about to use again.
     */
    shareOf(owner: string): number {
      if (open.size < maxConnections) return maxPerOwner;
      const [unusedSince = Infinity] = idle.values();
      if (performance.now() - unusedSince > UNUSED_AFTER_MS) return maxPerOwner;
      const equalShare = Math.floor(maxConnections / (owned.size + 1));
      return Math.min(maxPerOwner, Math.max(owned.get(owner) ?? 0, equalShare, 1));
    },
    /** Connections that are open or being opened. */
    size: () => open.size,
    load(): EgressLoad {
      const count = (isOwners: boolean) =>
        [...waiting]
          .filter(({ inUse }) => inUse >= maxPerOwner === isOwners)
          .reduce((sum, pool) => sum + pool.waiting.size, 0);
      const waits = { waitingForProcess: count(false), waitingForOwner: count(true) };
      const sizes = { inUse: open.size - idle.size, idle: idle.size };
      return { limit: maxConnections, ...sizes, ...waits, abandonedWaits };
    },
    close(): void {
      isClosed = true;
      const uses = [...waiting].flatMap((pool) => [...pool.waiting]);
      waiting.clear();
      pools.clear();
      for (const use of uses) use(undefined);
      for (const connection of [...open]) connection.discard();
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
