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

const clientOptions = {
  pipelining: 1,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveMaxTimeout: KEEP_ALIVE_MS,
  maxHeaderSize: 16_384,
  // The exchange has one deadline over everything.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/**
 * Pools connections; each serves one request at a time and is reused for its owner only. At the
 * limit an idle connection of another owner is closed; if none is idle, owners wait in turn.
 */
export class Connections {
  readonly #connect: Connector;
  readonly #limits: ConnectionLimits;
  readonly #pools = new Map<string, Pool>();
  /** Open connections by owner. */
  readonly #owned = new Map<string, number>();
  readonly #open = new Set<OpenConnection>();
  /** Since when each is idle; the one that is for the longest time is the first. */
  readonly #idle = new Map<OpenConnection, number>();
  readonly #waiting = new Set<Pool>();
  #isClosed = false;
  #abandonedWaits = 0;

  constructor(connect: Connector, limits: ConnectionLimits) {
    this.#connect = connect;
    this.#limits = limits;
  }

  /**
   * Calls `use` with a connection of this owner as soon as one is free. The function that it
   * returns ends the wait.
   */
  acquire(owner: string, origin: string, use: Use): () => void {
    const name = `${owner} ${origin}`;
    const pool = this.#pools.get(name) ?? {
      name,
      owner,
      origin,
      inUse: 0,
      idle: [],
      waiting: new Set(),
    };
    this.#pools.set(name, pool);
    const connection = this.#isClosed ? undefined : this.#take(pool);
    if (this.#isClosed || connection !== undefined) {
      use(connection);
      return () => undefined;
    }
    pool.waiting.add(use);
    this.#waiting.add(pool);
    return () => {
      if (pool.waiting.has(use)) this.#abandonedWaits += 1;
      this.#stopWaiting(pool, use);
    };
  }

  /** A free connection for the pool, or undefined at a limit. */
  #take(pool: Pool): Connection | undefined {
    const { maxConnections, maxPerOwner } = this.#limits;
    if (pool.inUse >= maxPerOwner) return undefined;
    let connection = pool.idle.pop();
    if (connection !== undefined) this.#idle.delete(connection);
    else {
      const [oldest] = this.#open.size < maxConnections ? [] : this.#idle.keys();
      oldest?.end();
      if (this.#open.size >= maxConnections) return undefined;
      connection = this.#create(pool);
    }
    pool.inUse += 1;
    return connection;
  }

  #create(pool: Pool): OpenConnection {
    let giveUp: () => void = () => undefined;
    let isConnected = false;
    let beginAnswer: () => void = () => undefined;
    const client = new Client(pool.origin, {
      ...clientOptions,
      connect: ({ hostname, protocol, port }, callback) => {
        const secure = protocol === 'https:';
        const target = { hostname, secure, port: Number(port) || (secure ? 443 : 80) };
        giveUp = this.#connect(target, (error, socket, remoteIp) => {
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
      if (!this.#remove(connection)) return;
      if (!isConnected) giveUp();
      client.destroy().catch(() => undefined);
    };
    const discard = () => {
      end();
      this.#serve();
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
      release: () => {
        if (!this.#open.has(connection)) return;
        pool.inUse -= 1;
        pool.idle.push(connection);
        this.#idle.set(connection, performance.now());
        if (!isConnected) end();
        if (this.#waiting.size > 0) this.#serve();
      },
    };
    client.on('disconnect', () => {
      isConnected = false;
      if (this.#idle.has(connection)) discard();
    });
    this.#open.add(connection);
    this.#own(pool, 1);
    return connection;
  }

  /** False if it was removed before. */
  #remove(connection: OpenConnection): boolean {
    if (!this.#open.delete(connection)) return false;
    const { pool } = connection;
    this.#own(pool, -1);
    if (this.#idle.delete(connection)) {
      pool.idle = pool.idle.filter((other) => other !== connection);
    } else pool.inUse -= 1;
    this.#forget(pool);
    return true;
  }

  #own({ owner }: Pool, change: 1 | -1): void {
    const after = (this.#owned.get(owner) ?? 0) + change;
    if (after > 0) this.#owned.set(owner, after);
    else this.#owned.delete(owner);
  }

  /** Hands free connections to those who wait, one to each owner in turn. */
  #serve(): void {
    for (const pool of this.#waiting) {
      const [use] = pool.waiting;
      const connection = use && this.#take(pool);
      if (use === undefined || connection === undefined) continue;
      this.#stopWaiting(pool, use);
      // To the end of those that wait.
      if (this.#waiting.delete(pool)) this.#waiting.add(pool);
      use(connection);
    }
  }

  #stopWaiting(pool: Pool, use: Use): void {
    pool.waiting.delete(use);
    if (pool.waiting.size === 0) this.#waiting.delete(pool);
    this.#forget(pool);
  }

  #forget(pool: Pool): void {
    if (pool.inUse + pool.idle.length + pool.waiting.size === 0) this.#pools.delete(pool.name);
  }

  /**
   * Connections that an owner may use now. At the limit of the process these are its own or an
   * equal share, whichever is more: further requests would close connections that other owners
   * are about to use again.
   */
  shareOf(owner: string): number {
    const { maxConnections, maxPerOwner } = this.#limits;
    if (this.#open.size < maxConnections) return maxPerOwner;
    const [unusedSince = Infinity] = this.#idle.values();
    if (performance.now() - unusedSince > UNUSED_AFTER_MS) return maxPerOwner;
    const equalShare = Math.floor(maxConnections / (this.#owned.size + 1));
    return Math.min(maxPerOwner, Math.max(this.#owned.get(owner) ?? 0, equalShare, 1));
  }

  /** Connections that are open or being opened. */
  size(): number {
    return this.#open.size;
  }

  load(): EgressLoad {
    const { maxConnections, maxPerOwner } = this.#limits;
    const count = (isOwners: boolean) =>
      [...this.#waiting]
        .filter(({ inUse }) => inUse >= maxPerOwner === isOwners)
        .reduce((sum, pool) => sum + pool.waiting.size, 0);
    const waits = { waitingForProcess: count(false), waitingForOwner: count(true) };
    const sizes = { inUse: this.#open.size - this.#idle.size, idle: this.#idle.size };
    return { limit: maxConnections, ...sizes, ...waits, abandonedWaits: this.#abandonedWaits };
  }

  close(): void {
    this.#isClosed = true;
    const uses = [...this.#waiting].flatMap((pool) => [...pool.waiting]);
    this.#waiting.clear();
    this.#pools.clear();
    for (const use of uses) use(undefined);
    for (const connection of [...this.#open]) connection.discard();
  }
}
