import postgres from 'postgres';
import { DatabaseUnavailable, isAway, isRepeatable } from './failures.ts';
import { openSocket } from './one-shot-socket.ts';
import { takeAnnouncement } from './work.ts';
import { wireTypes } from './wire-types.ts';

/** One connection, held for the length of a `read` or `transact`; tagged templates run on it. */
export type Sql = postgres.Sql<{ bigint: number; date: string; day: string }>;

export interface DatabaseOptions {
  /** postgres://user:password@host:port/database[?sslmode=require] */
  url: string;
  /** Connections at most; a smaller pool is faster on few cores. */
  maxConnections: number;
  applicationName: string;
  /** Longest wait for a connection, a new one included. */
  acquireTimeoutMs?: number;
  /** Longest `read` or `transact`, unless the call says otherwise. */
  deadlineMs?: number;
  /** Called after the commit of a transaction that announced work (see work.ts). */
  onWork?: () => void;
}

export interface Database {
  /** Runs statements outside a transaction. Throws DatabaseUnavailable past the deadline. */
  read<T>(work: (sql: Sql) => Promise<T>, options?: { deadlineMs?: number }): Promise<T>;
  /**
   * Runs one transaction; repeats it (at most three times) after a deadlock. When the connection
   * is lost at commit, DatabaseUnavailable says that the outcome is unknown.
   */
  transact<T>(work: (sql: Sql) => Promise<T>, options?: { deadlineMs?: number }): Promise<T>;
  /** Keeps a connection of its own that calls `onNotice` for each NOTIFY; reconnects by itself. */
  listen(channel: string, onNotice: (payload: string) => void): { stop(): void };
  /** Connections in use and waiting calls, for metrics. */
  load(): { open: number; busy: number; waiting: number };
  close(): Promise<void>;
}

interface Slot {
  sql: Sql;
  /** Rejects when the connection goes. */
  died: Promise<never>;
  isDead(): boolean;
  destroy(error: Error): void;
  end(): void;
}

/**
 * A pool of single connections around the driver. The driver's own pool is not used: it can leave
 * queries unsettled, crash the process or reuse a broken session when the server restarts
 * (DECISIONS, "The driver"). Here a connection that fails once is thrown away whole, and every
 * call has a deadline.
 */
export function connectDatabase(options: DatabaseOptions): Database {
  const { maxConnections, acquireTimeoutMs = 2_000, deadlineMs = 5_000 } = options;
  const idle: Slot[] = [];
  const waiting: { take(slot: Slot): void; refuse(error: Error): void }[] = [];
  const all = new Set<Slot>();
  let opening = 0;
  let closed = false;

  async function acquire(): Promise<Slot> {
    if (closed) throw new DatabaseUnavailable('the pool is closed');
    for (let slot = idle.pop(); slot; slot = idle.pop()) if (!slot.isDead()) return slot;
    if (all.size + opening < maxConnections) {
      opening += 1;
      try {
        const slot = await openSlot(options, acquireTimeoutMs);
        all.add(slot);
        slot.died.catch(() => {
          all.delete(slot);
          if (waiting.length > 0) openForWaiting();
        });
        return slot;
      } catch (error) {
        throw new DatabaseUnavailable('no connection to Postgres', { cause: error });
      } finally {
        opening -= 1;
      }
    }
    return new Promise<Slot>((resolve, reject) => {
      const entry = {
        take(slot: Slot) {
          clearTimeout(timer);
          resolve(slot);
        },
        refuse(error: Error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(new DatabaseUnavailable('every connection to Postgres is busy'));
      }, acquireTimeoutMs);
      waiting.push(entry);
    });
  }

  // A dead connection frees a place; whoever waits gets a new one rather than its deadline.
  function openForWaiting() {
    const entry = waiting.shift();
    if (!entry) return;
    acquire().then(entry.take, entry.refuse);
  }

  function release(slot: Slot) {
    if (slot.isDead()) return;
    const next = waiting.shift();
    if (next) next.take(slot);
    else if (closed) slot.end();
    else idle.push(slot);
  }

  async function within<T>(ms: number, work: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = await acquire();
    const timer = setTimeout(() => {
      slot.destroy(new DatabaseUnavailable(`Postgres did not answer within ${String(ms)} ms`));
    }, ms);
    try {
      return await Promise.race([work(slot), slot.died]);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (error instanceof DatabaseUnavailable) throw error;
      throw new DatabaseUnavailable('Postgres is unavailable', { cause: error });
    } finally {
      clearTimeout(timer);
      release(slot);
    }
  }

  async function once<T>(ms: number, work: (sql: Sql) => Promise<T>): Promise<T> {
    return within(ms, async (slot) => {
      const { sql } = slot;
      // Not awaited: it travels with the first statement of the work.
      const begun = sql`begin`.execute();
      begun.catch(() => undefined);
      takeAnnouncement(sql);
      try {
        const result = await work(sql);
        await begun;
        const committed = await sql`commit`;
        if (committed.command === 'ROLLBACK') throw new Error('the transaction was rolled back');
        if (takeAnnouncement(sql)) options.onWork?.();
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
    read: (work, call) => within(call?.deadlineMs ?? deadlineMs, (slot) => work(slot.sql)),
    async transact(work, call) {
      const ms = call?.deadlineMs ?? deadlineMs;
      for (let tries = 1; ; tries += 1) {
        try {
          return await once(ms, work);
        } catch (error) {
          if (tries >= 3 || !isRepeatable(error)) throw error;
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

async function openSlot(
  options: DatabaseOptions,
  timeoutMs: number,
  onNotice?: (channel: string, payload: string) => void,
): Promise<Slot> {
  const url = new URL(options.url);
  let death: Error | undefined;
  let reportDeath: (error: Error) => void = () => undefined;
  const died = new Promise<never>((_, reject) => {
    reportDeath = (error) => {
      death ??= error;
      reject(death);
    };
  });
  died.catch(() => undefined);

  const socket = await openSocket(
    {
      host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1',
      port: Number(url.port || 5432),
      tls: tlsOptions(url),
      connectTimeoutMs: timeoutMs,
    },
    (error) => {
      reportDeath(error);
    },
  );
  let given = false;
  const sql: Sql = postgres(options.url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: timeoutMs / 1_000,
    ssl: false,
    types: wireTypes,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      statement_timeout: 60_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 15_000,
    },
    ...(onNotice && { onnotify: onNotice }),
    ...{
      socket: () => {
        if (given) throw new DatabaseUnavailable('the connection is gone');
        given = true;
        return socket;
      },
    },
  });
  const slot: Slot = {
    sql,
    died,
    isDead: () => death !== undefined,
    destroy: (error) => {
      reportDeath(error);
      socket.destroy(error);
    },
    end: () => {
      socket.end(Buffer.from([0x58, 0, 0, 0, 4])); // Terminate
    },
  };
  const timer = setTimeout(() => {
    slot.destroy(new DatabaseUnavailable('Postgres accepted the connection but did not answer'));
  }, timeoutMs);
  try {
    await Promise.race([sql`select 1`, died]);
  } catch (error) {
    slot.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return slot;
}

function tlsOptions(url: URL) {
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  if (mode === 'disable') return false;
  return { servername: url.hostname, rejectUnauthorized: mode.startsWith('verify') };
}

function listen(options: DatabaseOptions, channel: string, onNotice: (payload: string) => void) {
  let stopped = false;
  let current: Slot | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    try {
      current = await openSlot(options, 2_000, (from, payload) => {
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
