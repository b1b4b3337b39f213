import type { Sql } from '../database/sql.ts';

type Handler<Change> = (sql: Sql, teamId: string, change: Change) => Promise<unknown>;

/** A function whose effect capabilities above its own supply, in the caller's transaction. */
export interface Hook<Change> {
  /** Calls the handlers in the order of their registration. Throws where there is none. */
  (sql: Sql, teamId: string, change: Change): Promise<void>;
  /** Adds handlers; one that is registered already stays where it is. */
  register(...handlers: readonly Handler<Change>[]): void;
}

/**
 * Declares a hook, by which a capability announces a change to capabilities that it may not import.
 * `src/app/hooks.ts` registers the handlers.
 */
export function createHook<Change>(name: string): Hook<Change> {
  const registered = new Set<Handler<Change>>();
  async function call(sql: Sql, teamId: string, change: Change): Promise<void> {
    // A process that was composed without handlers must not skip what they do.
    if (registered.size === 0) throw new Error(`The hook ${name} has no handler.`);
    for (const handler of registered) await handler(sql, teamId, change);
  }
  return Object.assign(call, {
    register(...handlers: readonly Handler<Change>[]) {
      for (const handler of handlers) registered.add(handler);
    },
  });
}
