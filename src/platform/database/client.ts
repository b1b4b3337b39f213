import { DatabaseUnavailable, isOutdatedPlan, isUnavailable, isRetryable } from './failures.ts';
import { scopeConnection } from './scoped-connection.ts';
import { createReadMultiplexer } from './read-multiplexer.ts';
import type { ReadMultiplexer } from './read-multiplexer.ts';
import { listen } from './listening.ts';
import type { Listening } from './listening.ts';
import type { PooledConnection } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { PoolOptions } from './connection-pool.ts';
import type { Sql } from './sql.ts';
import { statementsOf, pendingNotifications } from './transaction-context.ts';

export interface DatabaseOptions extends PoolOptions {
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

/** Runs each call on a connection of a pool, with a deadline. */
export function connectDatabase(options: DatabaseOptions): Database {
  const { deadlineMs = 5_000 } = options;
  const pool = new ConnectionPool(options);
  const multiplexer = createReadMultiplexer();
  return {
    read(work, call) {
      const ms = call?.deadlineMs ?? deadlineMs;
      const run = (connection: PooledConnection) => scopeConnection(connection.sql).use(work);
      return call?.isPipelined
        ? sharedRead(pool, multiplexer, ms, run)
        : withDeadline(pool, ms, run);
    },
    async transact(work, call) {
      const { deadlineMs: ms = deadlineMs, isSnapshot = false } = call ?? {};
      for (let tries = 1; ; tries += 1) {
        try {
          return await runTransaction(pool, options, { ms, isSnapshot }, work);
        } catch (error) {
          if (tries >= 3 || !isRetryable(error)) throw error;
        }
      }
    },
    listen: (channel, onNotice) => listen(options, channel, onNotice),
    load: () => pool.load(),
    close: () => pool.close(),
  };
}

async function runTransaction<T>(
  pool: ConnectionPool,
  { onWork }: DatabaseOptions,
  { ms, isSnapshot }: { ms: number; isSnapshot: boolean },
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  return withDeadline(pool, ms, async (connection) => {
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
      if (announced) onWork?.(announced);
      return result;
    } catch (error) {
      if (isOutdatedPlan(error)) pool.replaceAll(connection);
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

async function sharedRead<T>(
  pool: ConnectionPool,
  multiplexer: ReadMultiplexer,
  ms: number,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const connection = await join(pool, multiplexer);
  const deadline = { isOver: false };
  try {
    return await on(connection, ms, work, () => {
      deadline.isOver = true;
    });
  } catch (error) {
    if (!connection.isDead() || deadline.isOver) throw error;
  } finally {
    if (multiplexer.leave(connection)) pool.release(connection);
  }
  return withDeadline(pool, ms, work);
}

/** A connection of its own for the first few, else a place on one that others read on. */
async function join(pool: ConnectionPool, multiplexer: ReadMultiplexer): Promise<PooledConnection> {
  const place = multiplexer.join(pool.isJustFull());
  if (place) return place;
  const connection = pool.takeIdle() ?? (await pool.acquire());
  multiplexer.open(connection);
  return connection;
}

async function withDeadline<T>(
  pool: ConnectionPool,
  ms: number,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire();
  try {
    return await on(connection, ms, work);
  } finally {
    pool.release(connection);
  }
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
    connection.destroy(new DatabaseUnavailable(`Postgres did not answer within ${String(ms)} ms`));
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
