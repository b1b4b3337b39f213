import type postgres from 'postgres';

/** One connection for the duration of a `read` or `transact`; tagged templates run on it. */
export type Sql = postgres.Sql<{ bigint: number; date: string; day: string }>;

/** A part of a statement, such as a condition. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;
