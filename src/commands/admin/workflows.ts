import type { Command } from 'commander';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { parseId } from './arguments.ts';
import { withDatabase } from './connection.ts';
import { findTemporal, queryUrl } from './temporal.ts';
import { signalSleeping, sleepingWorkflows } from './workflows/queries.ts';
import { viewsOf } from './workflows/views.ts';

/** Millions of rows are signaled some hundreds a second. */
const slowly = { deadlineMs: 600_000 };

export function addWorkflowCommands(program: Command, output: Output): void {
  const workflows = program.command('workflows').description('workflows of Temporal');

  workflows
    .command('views')
    .description('list queries for the Temporal UI with their links: failed batches, and others')
    .option('--team <team-id>', 'of one team', parseId)
    .action(async ({ team }: { team?: string }) => {
      const place = await findTemporal();
      const rows = viewsOf(team).map((view) => ({ ...view, url: queryUrl(place, view.query) }));
      if (place.uiUrl === undefined) {
        output.rows(rows, ['name', 'query']);
        output.remark('Set TEMPORAL_UI_URL for links.');
      } else output.rows(rows, ['name', 'url']);
    });

  workflows
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
