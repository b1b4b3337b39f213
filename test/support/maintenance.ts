import type { Database } from '../../src/platform/database/client.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { tasks } from '../../src/maintenance/tasks.ts';

/** Runs a maintenance task until nothing is left; returns the number of rows. */
export async function maintain(database: Database, name: string): Promise<number> {
  const task = tasks[name];
  if (!task) throw new Error(`there is no task ${name}`);
  const turn = { count: 0, log: createLog('silent', 'worker'), isOver: () => false };
  if (!(await task.work(database, turn))) throw new Error(`${name} has not come to its end`);
  return turn.count;
}
