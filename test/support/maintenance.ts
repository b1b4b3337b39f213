import type { Database } from '../../src/platform/database/client.ts';
import { tasks } from '../../src/maintenance/tasks.ts';

/** Works on a task of the maintenance until nothing is left; says how much that was. */
export async function maintain(database: Database, name: string): Promise<number> {
  const task = tasks[name];
  if (!task) throw new Error(`there is no task ${name}`);
  const turn = { count: 0, isOver: () => false };
  if (!(await task.work(database, turn))) throw new Error(`${name} has not come to its end`);
  return turn.count;
}
