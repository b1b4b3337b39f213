import type { Command } from 'commander';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { withDatabase } from './connection.ts';
import { signalSleeping, sleepingWorkflows } from './workflows/queries.ts';

/** Millions of rows are signaled some hundreds a second. */
const slowly = { deadlineMs: 600_000 };

export function addWorkflowCommands(program: Command, output: Output): void {
  program
    .command('workflows')
    .description('workflows of Temporal')
    .command('reconcile')
    .description(
      'have each workflow read its row again, and start those that are missing: after a restore of Postgres, or the loss of the store of Temporal',
    )
    .action(async () => {
      const rows = await withDatabase((database) =>
        database.transact(async (sql) => {
          const signaled = [];
          for (const workflow of sleepingWorkflows) {
            signaled.push({ workflow, signaled: await signalSleeping(sql, workflow) });
          }
          return signaled;
        }, slowly),
      );
      output.rows(rows, ['workflow', 'signaled']);
    });
}
