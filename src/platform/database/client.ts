import { DatabaseUnavailable, isOutdatedPlan, isUnavailable, isRetryable } from './failures.ts';
import { scopeConnection } from './scoped-connection.ts';
import { createReadMultiplexer } from './read-multiplexer.ts';
import { openConnection } from './connection.ts';
import { listen } from './listening.ts';
import type { Listening } from './listening.ts';
import type { ConnectionOptions, PooledConnection } from './connection.ts';
import type { Sql } from './sql.ts';
import { statementsOf, pendingNotifications } from './transaction-context.ts';

export interface DatabaseOptions extends ConnectionOptions {
  /** Connections at most; a smaller pool is faster on few cores. */
  maxConnections: number;
  /** Longest wait for a connection, a new one included. */
  acquireTimeoutMs?: number;
  /** Longest `read` or `transact`, unless the call sets another limit. */
  deadlineMs?: number;
  /** Called after the commit of a transaction that announced work (see work.ts). */
  onWork?: (work: ReadonlySet<string>) => void;
}

export interface Database {
  /**
   * Runs statements outside a transaction. Throws DatabaseUnavailable after the deadline. With
   * `isPipelined`, under load, they share a connection with other such calls. They must be
   * read-only, since they are repeated once when another call breaks the connection.
   */
  read<T>(
    work: (sql: Sql) => Promise<T>,
    options?: { deadlineMs?: number; isPipelined?: boolean },
  ): Promise<T>;
  /**
   * Runs one transaction; repeats it (at most three times) after a deadlock, and after a migration
   * that outdated a prepared statement. When the connection is
   * lost at commit, throws DatabaseUnavailable, and the outcome is unknown. With `isSnapshot` the
   * statements are read-only, and all see the snapshot of the first.
   */
  transact<T>(
    work: (sql: Sql) => Promise<T>,
    options?: { deadlineMs?: number; isSnapshot?: boolean },
  ): Promise<T>;
  /**
   * Opens its own connection, which calls `onNotice` for each NOTIFY and reconnects automatically.
   */
  listen(channel: string, onNotice: (payload: string) => void): Listening;
  /** Connections in use and waiting calls, for metrics. */
  load(): { open: number; busy: number; waiting: number };
  close(): Promise<void>;
}

interface Waiter {
  /** False when it has given up waiting. */
  take(connection: PooledConnection): boolean;
  refuse(error: Error): void;
}

/**
 * A pool of single connections around the driver. The driver's own pool is not used: it can leave
 * queries unsettled, crash the process or reuse a broken session when the server restarts
 * (ADR 70). Here a connection that fails once is thrown away whole, and every
 * call has a deadline.
 */
export function connectDatabase(options: DatabaseOptions): Database {
  const { maxConnections, acquireTimeoutMs = 2_000, deadlineMs = 5_000 } = options;
  const idle: PooledConnection[] = [];
  const waiting: Waiter[] = [];
  const multiplexer = createReadMultiplexer();
  const all = new Set<PooledConnection>();
  /** Connections with statements of an earlier schema, which end after their work. */
  const outdated = new WeakSet<PooledConnection>();
  let opening = 0;
  let closed = false;

  function takeIdle(): PooledConnection | undefined {
    for (let connection = idle.pop(); connection; connection = idle.pop())
      if (!connection.isDead()) return connection;
    return undefined;
  }

  async function acquire(): Promise<PooledConnection> {
    if (closed) throw new DatabaseUnavailable('the pool is closed');
    const free = takeIdle();
    if (free) return free;
    if (all.size + opening < maxConnections) {
      opening += 1;
      try {
        const connection = await openConnection(options, acquireTimeoutMs);
        all.add(connection);
        opening -= 1;
        connection.died.catch(() => {
          all.delete(connection);
          if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
          openForWaiting();
        });
        return connection;
      } catch (error) {
        opening -= 1;
        openForWaiting();
        throw new DatabaseUnavailable('no connection to Postgres', { cause: error });
      }
    }
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
      }, acquireTimeoutMs);
      waiting.push(waiter);
    });
  }

  // A slot became free without a connection: the first waiter gets a new one, or its error now
  // rather than at its deadline.
  function openForWaiting() {
    const waiter = waiting.shift();
    if (!waiter) return;
    acquire().then((connection) => {
      if (!waiter.take(connection)) release(connection);
    }, waiter.refuse);
  }

  function release(connection: PooledConnection) {
    if (connection.isDead()) return;
    if (outdated.has(connection)) {
      connection.end();
      return;
    }
    const next = waiting.shift();
    if (next) next.take(connection);
    else if (closed) connection.end();
    else idle.push(connection);
  }

  /** After a migration: each connection has prepared statements that would fail, one by one. */
  function replaceAll() {
    for (const connection of all) outdated.add(connection);
    for (const connection of idle.splice(0)) connection.end();
  }

  /** A connection of its own for the first few, else a place on one that others read on. */
  async function join(): Promise<PooledConnection> {
    const isFull = idle.length === 0 && all.size + opening >= maxConnections;
    const place = multiplexer.join(isFull && waiting.length === 0);
    if (place) return place;
    const connection = takeIdle() ?? (await acquire());
    multiplexer.open(connection);
    return connection;
  }

  /** At the deadline `onLate` is called, and the connection destroyed with what runs on it. */
  async function on<T>(
    connection: PooledConnection,
    ms: number,
    work: (connection: PooledConnection) => Promise<T>,
    onLate: () => void = () => undefined,
  ): Promise<T> {
    const timer = setTimeout(() => {
      onLate();
      connection.destroy(
        new DatabaseUnavailable(`Postgres did not answer within ${String(ms)} ms`),
      );
    }, ms);
    try {
      return await connection.whileAlive(work(connection));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (error instanceof DatabaseUnavailable) throw error;
      throw new DatabaseUnavailable('Postgres is unavailable', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async function withDeadline<T>(
    ms: number,
    work: (connection: PooledConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await acquire();
    try {
      return await on(connection, ms, work);
    } finally {
      release(connection);
    }
  }

  async function sharedRead<T>(
    ms: number,
    work: (connection: PooledConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await join();
    const deadline = { isOver: false };
    try {
      return await on(connection, ms, work, () => {
        deadline.isOver = true;
      });
    } catch (error) {
      if (!connection.isDead() || deadline.isOver) throw error;
    } finally {
      if (multiplexer.leave(connection)) release(connection);
    }
    return withDeadline(ms, work);
  }

  async function runTransaction<T>(
    { ms, isSnapshot }: { ms: number; isSnapshot: boolean },
    work: (sql: Sql) => Promise<T>,
  ): Promise<T> {
    return withDeadline(ms, async (connection) => {
      const { sql } = connection;
      // Not awaited: it travels with the first statement of the work.
      const begun = (
        isSnapshot ? sql`begin isolation level repeatable read, read only` : sql`begin`
      ).execute();
      begun.catch(() => undefined);
      const scoped = scopeConnection(sql);
      try {
        const result = await scoped.use(work);
        const committing = sql`commit`.execute();
        committing.catch(() => undefined);
        await Promise.all([begun, ...statementsOf(scoped.sql)]);
        const committed = await committing;
        if (committed.command === 'ROLLBACK') throw new Error('the transaction was rolled back');
        const announced = pendingNotifications(scoped.sql);
        if (announced) options.onWork?.(announced);
        return result;
      } catch (error) {
        if (isOutdatedPlan(error) && !outdated.has(connection)) replaceAll();
        if (!connection.isDead()) {
          try {
            await sql`rollback`;
          } catch {
            connection.destroy(new DatabaseUnavailable('the rollback failed'));
          }
        }
        throw error;
      }
    });
  }

  return {
    read: (work, call) =>
      (call?.isPipelined ? sharedRead : withDeadline)(
        call?.deadlineMs ?? deadlineMs,
        (connection) => scopeConnection(connection.sql).use(work),
      ),
    async transact(work, call) {
      const { deadlineMs: ms = deadlineMs, isSnapshot = false } = call ?? {};
      for (let tries = 1; ; tries += 1) {
        try {
          return await runTransaction({ ms, isSnapshot }, work);
        } catch (error) {
          if (tries >= 3 || !isRetryable(error)) throw error;
        }
      }
    },
    listen: (channel, onNotice) => listen(options, channel, onNotice),
    load: () => ({ open: all.size, busy: all.size - idle.length, waiting: waiting.length }),
    async close() {
      closed = true;
      for (const connection of idle.splice(0)) connection.end();
      // A connection in use has until its own deadline.
      await Promise.all([...all].map((connection) => connection.died.catch(() => undefined)));
    },
  };
}
