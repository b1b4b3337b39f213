import type { Sql } from './client.ts';

// A connection is marked while its transaction has recorded work for the workers.
const marked = new WeakSet<Sql>();

/** Says that the transaction recorded work; once it commits, the workers are nudged. */
export function announceWork(sql: Sql): void {
  marked.add(sql);
}

/** Takes the mark off; true when there was one. */
export function takeAnnouncement(sql: Sql): boolean {
  return marked.delete(sql);
}
