import { openConnection } from './connection.ts';
import type { ConnectionOptions, PooledConnection } from './connection.ts';
import { DatabaseUnavailable } from './failures.ts';

export interface PoolOptions extends ConnectionOptions {
  /** Connections at most; a smaller pool is faster on few cores. */
  maxConnections: number;
  /** Longest wait for a connection, a new one included. */
  acquireTimeoutMs?: number;
}

interface Waiter {
  /** False when it has given up waiting. */
  take(connection: PooledConnection): boolean;
  refuse(error: Error): void;
}

/**
 * A pool of single connections around the driver. The driver's own pool is not used: it can leave
 * queries unsettled, crash the process or reuse a broken session when the server restarts
 * (ADR 70). Here a connection that fails once is thrown away whole.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #acquireTimeoutMs: number;
  readonly #idle: PooledConnection[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #all = new Set<PooledConnection>();
  /** Connections with statements of an earlier schema, which end after their work. */
  readonly #outdated = new WeakSet<PooledConnection>();
  #opening = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#acquireTimeoutMs = options.acquireTimeoutMs ?? 2_000;
  }

  async acquire(): Promise<PooledConnection> {
    if (this.#isClosed) throw new DatabaseUnavailable('the pool is closed');
    const free = this.takeIdle();
    if (free) return free;
    if (this.#hasRoom()) {
      this.#opening += 1;
      try {
        const connection = await openConnection(this.#options, this.#acquireTimeoutMs);
        this.#all.add(connection);
        this.#opening -= 1;
        connection.died.catch(() => this.#forget(connection));
        return connection;
      } catch (error) {
        this.#opening -= 1;
        this.#openForWaiting();
        throw new DatabaseUnavailable('no connection to Postgres', { cause: error });
      }
    }
    return this.#wait();
  }

  takeIdle(): PooledConnection | undefined {
    const idle = this.#idle;
    for (let connection = idle.pop(); connection; connection = idle.pop())
      if (!connection.isDead()) return connection;
    return undefined;
  }

  #hasRoom(): boolean {
    return this.#all.size + this.#opening < this.#options.maxConnections;
  }

  #forget(connection: PooledConnection): void {
    this.#all.delete(connection);
    const idle = this.#idle;
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
    this.#openForWaiting();
  }

  #wait(): Promise<PooledConnection> {
    const waiting = this.#waiting;
    return new Promise<PooledConnection>((resolve, reject) => {
      let isOver = false;
      const waiter: Waiter = {
        take(connection) {
          if (isOver) return false;
          clearTimeout(timer);
          resolve(connection);
          return true;
        },
        refuse(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        isOver = true;
        if (waiting.includes(waiter)) waiting.splice(waiting.indexOf(waiter), 1);
        reject(new DatabaseUnavailable('every connection to Postgres is busy'));
      }, this.#acquireTimeoutMs);
      waiting.push(waiter);
    });
  }

  // A slot became free without a connection: the first waiter gets a new one, or its error now
  // rather than at its deadline.
  #openForWaiting(): void {
    const waiter = this.#waiting.shift();
    if (!waiter) return;
    this.acquire().then((connection) => {
      if (!waiter.take(connection)) this.release(connection);
    }, waiter.refuse);
  }

  release(connection: PooledConnection): void {
    if (connection.isDead()) return;
    if (this.#outdated.has(connection)) {
      connection.end();
      return;
    }
    const next = this.#waiting.shift();
    if (next) next.take(connection);
    else if (this.#isClosed) connection.end();
    else this.#idle.push(connection);
  }

  /** Whether all connections are in use, and nobody waits for one. */
  isJustFull(): boolean {
    return this.#idle.length === 0 && !this.#hasRoom() && this.#waiting.length === 0;
  }

  /**
   * After a migration that `connection` has noticed: each one has prepared statements that would
   * fail, one by one.
   */
  replaceAll(connection: PooledConnection): void {
    if (this.#outdated.has(connection)) return;
    for (const one of this.#all) this.#outdated.add(one);
    for (const one of this.#idle.splice(0)) one.end();
  }

  /** Connections in use and waiting calls. */
  load(): { open: number; busy: number; waiting: number } {
    const open = this.#all.size;
    return { open, busy: open - this.#idle.length, waiting: this.#waiting.length };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.end();
    // A connection in use has until its own deadline.
    await Promise.all([...this.#all].map((one) => one.died.catch(() => undefined)));
  }
}
