import type { Keyring } from '../platform/auth/keyring.ts';
import type { Database } from '../platform/database/client.ts';
import type { Log } from '../platform/observability/log.ts';
import type { Sql } from '../platform/database/sql.ts';

/** Progress of one run of a task. */
export interface Turn {
  log: Log;
  keyring: Keyring;
  /** Rows, partitions, files or teams that are done. */
  count: number;
  /** Whether the task has to hand over to a later turn. */
  isOver(): boolean;
}

/** A regular task that is independent of client requests. */
export interface Task {
  /** For operators. */
  note: string;
  /** Audit actions that it records. */
  actions?: readonly string[];
  /** Does some of it; true when nothing is left. What it has done stays, wherever it is cut off. */
  work(database: Database, turn: Turn): Promise<boolean>;
}

/** Limit of one statement, for instance one that waits for a lock or a slow disk. */
export const withinAMinute = { deadlineMs: 60_000 };

/** A task of one statement, which returns the number of its rows. */
export function atOnce(note: string, work: (sql: Sql) => Promise<number>): Task {
  return {
    note,
    async work(database, turn) {
      turn.count += await database.read(work, withinAMinute);
      return true;
    },
  };
}

/** A task that does at most `size` at a time, until it finds less than that. */
export function inChunks(
  size: number,
  note: string,
  chunk: (database: Database, size: number, log: Log) => Promise<number>,
): Task {
  return {
    note,
    async work(database, turn) {
      do {
        const done = await chunk(database, size, turn.log);
        turn.count += done;
        if (done < size) return true;
      } while (!turn.isOver());
      return false;
    },
  };
}

/** A task that deletes rows, some thousands in a transaction. */
export function pruning(
  note: string,
  prune: (sql: Sql, limit: number) => Promise<number>,
  size = 5_000,
): Task {
  return inChunks(size, note, (database, limit) =>
    database.read((sql) => prune(sql, limit), withinAMinute),
  );
}

/** A task that deletes rows in transactions of several statements, until one finds nothing. */
export function pruningTogether(note: string, prune: (sql: Sql) => Promise<number>): Task {
  return inChunks(1, note, (database) => database.transact(prune, withinAMinute));
}

/** One task after the other, under one name. */
export function inOrder(...tasks: readonly Task[]): Task {
  return {
    note: tasks.map(({ note }) => note).join(' '),
    async work(database, turn) {
      for (const task of tasks) if (!(await task.work(database, turn))) return false;
      return true;
    },
  };
}
