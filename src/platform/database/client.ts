import type postgres from 'postgres';
import { DatabaseUnavailable, isUnavailable, isRetryable } from './failures.ts';
import { scopeConnection } from './scoped-connection.ts';
import { createReadMultiplexer } from './read-multiplexer.ts';
import { openConnection } from './connection.ts';
import type { PooledConnection } from './connection.ts';
import { statementsOf, pendingNotifications } from './transaction-context.ts';

/** One connection, held for the length of a `read` or `transact`; tagged templates run on it. */
export type Sql = postgres.Sql<{ bigint: number; date: string; day: string }>;

export interface DatabaseOptions {
  /** postgres://user:password@host:port/database, with the parameters of libpq for TLS. */
  url: string;
  /** Connections at most; a smaller pool is faster on few cores. */
  maxConnections: number;
  applicationName: string;
  /** Plans each statement once per connection, whatever its values: for those that look up keys. */
  reusesPlans?: boolean;
  /** Longest wait for a connection, a new one included. */
  acquireTimeoutMs?: number;
  /** Longest `read` or `transact`, unless the call says otherwise. */
  deadlineMs?: number;
  /** Called after the commit of a transaction that announced work (see work.ts). */
  onWork?: (work: ReadonlySet<string>) => void;
}

export interface Database {
  /**
   * Runs statements outside a transaction. Throws DatabaseUnavailable past the deadline. With
   * `shares`, under load, they travel with those of other such calls on one connection; they may
   * only look, since they are repeated once when the connection goes for another's fault.
   */
  read<T>(
    work: (sql: Sql) => Promise<T>,
    options?: { deadlineMs?: number; isPipelined?: boolean },
  ): Promise<T>;
  /**
   * Runs one transaction; repeats it (at most three times) after a deadlock. When the connection
   * is lost at commit, DatabaseUnavailable says that the outcome is unknown. With `isSnapshot` its
   * statements only look, and all see the moment of the first, whatever is committed meanwhile.
   */
  transact<T>(
    work: (sql: Sql) => Promise<T>,
    options?: { deadlineMs?: number; isSnapshot?: boolean },
  ): Promise<T>;
  /** Keeps a connection of its own that calls `onNotice` for each NOTIFY; reconnects by itself. */
  listen(channel: string, onNotice: (payload: string) => void): { stop(): void };
  /** Connections in use and waiting calls, for metrics. */
  load(): { open: number; busy: number; waiting: number };
  close(): Promise<void>;
}

interface Waiter {
  /** False when it has given up waiting. */
  take(slot: PooledConnection): boolean;
  refuse(error: Error): void;
}

/**
 * A pool of single connections around the driver. The driver's own pool is not used: it can leave
 * queries unsettled, crash the process or reuse a broken session when the server restarts
 * (DECISIONS, "The driver"). Here a connection that fails once is thrown away whole, and every
 * call has a deadline.
 */
export function connectDatabase(options: DatabaseOptions): Database {
  const { maxConnections, acquireTimeoutMs = 2_000, deadlineMs = 5_000 } = options;
  const idle: PooledConnection[] = [];
  const waiting: Waiter[] = [];
  const sharing = createReadMultiplexer();
  const all = new Set<PooledConnection>();
  let opening = 0;
  let closed = false;

  function takeIdle(): PooledConnection | undefined {
    for (let slot = idle.pop(); slot; slot = idle.pop()) if (!slot.isDead()) return slot;
    return undefined;
  }

  async function acquire(): Promise<PooledConnection> {
    if (closed) throw new DatabaseUnavailable('the pool is closed');
    const free = takeIdle();
    if (free) return free;
    if (all.size + opening < maxConnections) {
      opening += 1;
      try {
        const slot = await openConnection(options, acquireTimeoutMs);
        all.add(slot);
        opening -= 1;
        slot.died.catch(() => {
          all.delete(slot);
          if (idle.includes(slot)) idle.splice(idle.indexOf(slot), 1);
          openForWaiting();
        });
        return slot;
      } catch (error) {
        opening -= 1;
        openForWaiting();
        throw new DatabaseUnavailable('no connection to Postgres', { cause: error });
      }
    }
    return new Promise<PooledConnection>((resolve, reject) => {
      let isOver = false;
      const waiter: Waiter = {
        take(slot) {
          if (isOver) return false;
          clearTimeout(timer);
          resolve(slot);
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

  // A place became free without a connection: whoever waits gets a new one, or hears at once that
  // there is none, rather than at its deadline.
  function openForWaiting() {
    const waiter = waiting.shift();
    if (!waiter) return;
    acquire().then((slot) => {
      if (!waiter.take(slot)) release(slot);
    }, waiter.refuse);
  }

  function release(slot: PooledConnection) {
    if (slot.isDead()) return;
    const next = waiting.shift();
    if (next) next.take(slot);
    else if (closed) slot.end();
    else idle.push(slot);
  }

  /** A connection of its own for the first few, else a place on one that others read on. */
  async function join(): Promise<PooledConnection> {
    const isFull = idle.length === 0 && all.size + opening >= maxConnections;
    const place = sharing.join(isFull && waiting.length === 0);
    if (place) return place;
    const slot = takeIdle() ?? (await acquire());
    sharing.open(slot);
    return slot;
  }

  /** Past the deadline the connection is given up with whatever runs on it, and `onLate` told. */
  async function on<T>(
    slot: PooledConnection,
    ms: number,
    work: (slot: PooledConnection) => Promise<T>,
    onLate: () => void = () => undefined,
  ): Promise<T> {
    const timer = setTimeout(() => {
      onLate();
      slot.destroy(new DatabaseUnavailable(`Postgres did not answer within ${String(ms)} ms`));
    }, ms);
    try {
      return await slot.whileAlive(work(slot));
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
    work: (slot: PooledConnection) => Promise<T>,
  ): Promise<T> {
    const slot = await acquire();
    try {
      return await on(slot, ms, work);
    } finally {
      release(slot);
    }
  }

  async function sharedRead<T>(
    ms: number,
    work: (slot: PooledConnection) => Promise<T>,
  ): Promise<T> {
    const slot = await join();
    const deadline = { isOver: false };
    try {
      return await on(slot, ms, work, () => {
        deadline.isOver = true;
      });
    } catch (error) {
      if (!slot.isDead() || deadline.isOver) throw error;
    } finally {
      if (sharing.leave(slot)) release(slot);
    }
    return withDeadline(ms, work);
  }

  async function runTransaction<T>(
    { ms, isSnapshot }: { ms: number; isSnapshot: boolean },
    work: (sql: Sql) => Promise<T>,
  ): Promise<T> {
    return withDeadline(ms, async (slot) => {
      const { sql } = slot;
      // Not awaited: it travels with the first statement of the work.
      const begun = (
        isSnapshot ? sql`begin isolation level repeatable read, read only` : sql`begin`
      ).execute();
      begun.catch(() => undefined);
      const lent = scopeConnection(sql);
      try {
        const result = await lent.use(work);
        const committing = sql`commit`.execute();
        committing.catch(() => undefined);
        await Promise.all([begun, ...statementsOf(lent.sql)]);
        const committed = await committing;
        if (committed.command === 'ROLLBACK') throw new Error('the transaction was rolled back');
        const announced = pendingNotifications(lent.sql);
        if (announced) options.onWork?.(announced);
        return result;
      } catch (error) {
        if (!slot.isDead()) {
          try {
            await sql`rollback`;
          } catch {
            slot.destroy(new DatabaseUnavailable('the rollback failed'));
          }
        }
        throw error;
      }
    });
  }

  return {
    read: (work, call) =>
      (call?.isPipelined ? sharedRead : withDeadline)(call?.deadlineMs ?? deadlineMs, (slot) =>
        scopeConnection(slot.sql).use(work),
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
      for (const slot of idle.splice(0)) slot.end();
      // Whoever still holds a connection has until its own deadline.
      await Promise.all([...all].map((slot) => slot.died.catch(() => undefined)));
    },
  };
}

function listen(options: DatabaseOptions, channel: string, onNotice: (payload: string) => void) {
  let stopped = false;
  let current: PooledConnection | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    try {
      current = await openConnection(options, 2_000, (from, payload) => {
        if (from === channel) onNotice(payload);
      });
      await current.sql`listen ${current.sql(channel)}`;
      if (stopped) current.end();
      await current.died;
    } catch {
      current?.end();
      if (!stopped) timer = setTimeout(() => void run(), 250);
    }
  }
  void run();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      current?.end();
    },
  };
}
