import { newKeyFile, openKeyring } from '../../src/platform/auth/keyring.ts';
import type { Keyring } from '../../src/platform/auth/keyring.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { tasks } from '../../src/maintenance/tasks.ts';

/** The arguments of a task of maintenance for one run. */
export const aTurn = (keyring = openKeyring(newKeyFile())) => ({
  ...{ count: 0, keyring, log: createLog('silent', 'worker'), isOver: () => false },
});

/** Runs a maintenance task until nothing is left; returns the number of rows. */
export async function maintain(
  database: Database,
  name: string,
  keyring?: Keyring,
): Promise<number> {
  const task = tasks[name];
  if (!task) throw new Error(`there is no task ${name}`);
  const turn = aTurn(keyring);
  if (!(await task.work(database, turn))) throw new Error(`${name} has not come to its end`);
  return turn.count;
}
