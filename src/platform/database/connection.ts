import postgres from 'postgres';
import { registerArrayTypes } from './array-types.ts';
import type { Sql } from './sql.ts';
import { createCancellation } from '../cancellation.ts';
import { DatabaseUnavailable } from './failures.ts';
import { openSocket } from './one-shot-socket.ts';
import { hostOf, tlsOptions, withoutTls } from './tls.ts';
import { wireTypes } from './wire-types.ts';

export interface ConnectionOptions {
  /** postgres://user:password@host:port/database, with the parameters of libpq for TLS. */
  url: string;
  applicationName: string;
  /** Plans each statement once per connection, for all values: for statements that look up keys. */
  reusesPlans?: boolean;
}

/** One connection with a driver instance of its own, which never reconnects. */
export interface PooledConnection {
  sql: Sql;
  /** Rejects when the connection is lost. */
  died: Promise<never>;
  isDead(): boolean;
  /** Returns the result of the work; throws when the connection is lost. */
  whileAlive<T>(work: Promise<T>): Promise<T>;
  destroy(error: Error): void;
  end(): void;
}

/** Connects and checks that Postgres responds; throws the cause of a failure within `timeoutMs`. */
export async function openConnection(
  options: ConnectionOptions,
  timeoutMs: number,
  onNotice?: (channel: string, payload: string) => void,
): Promise<PooledConnection> {
  const url = new URL(options.url);
  const tls = await tlsOptions(url);
  const cancellation = createCancellation();
  const died = cancellation.during(new Promise<never>(() => undefined));
  died.catch(() => undefined);

  const socket = await openSocket(
    {
      host: hostOf(url),
      port: Number(url.port || 5432),
      tls,
      connectTimeoutMs: timeoutMs,
    },
    cancellation.interrupt,
  );
  let given = false;
  const sql: Sql = postgres(withoutTls(url), {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: timeoutMs / 1_000,
    ssl: false,
    fetch_types: false,
    types: wireTypes,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      statement_timeout: 60_000,
      lock_timeout: 5_000,
      // Without it, an abandoned statement would run on, and another one with each retry.
      client_connection_check_interval: 1_000,
      idle_in_transaction_session_timeout: 15_000,
      // Compiling takes longer than the statements do, and estimates of generic plans are high.
      jit: 'off',
      ...(options.reusesPlans && { plan_cache_mode: 'force_generic_plan' }),
    },
    ...(onNotice && { onnotify: onNotice }),
    // The types of the driver lack this option.
    ...{
      socket: () => {
        if (given) throw new DatabaseUnavailable('the connection is gone');
        given = true;
        return socket;
      },
    },
  });
  registerArrayTypes(sql.options);
  const connection: PooledConnection = {
    sql,
    died,
    isDead: () => cancellation.reason !== undefined,
    whileAlive: cancellation.during,
    destroy: (error) => {
      cancellation.interrupt(error);
      socket.destroy(error);
    },
    end: () => {
      socket.end(Buffer.from([0x58, 0, 0, 0, 4])); // Terminate
    },
  };
  const timer = setTimeout(() => {
    connection.destroy(
      new DatabaseUnavailable('Postgres accepted the connection but did not answer'),
    );
  }, timeoutMs);
  try {
    await connection.whileAlive(sql`select 1`);
  } catch (error) {
    connection.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return connection;
}
