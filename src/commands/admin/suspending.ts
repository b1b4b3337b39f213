import type { Command } from 'commander';
import type { Output } from '../../../sdk/cli/src/output.ts';
import type { Database } from '../../platform/database/client.ts';
import { parseId, parseReason } from './arguments.ts';
import { withDatabase } from './connection.ts';

/** A suspension, or the end of one, as an operator asks for it. */
export interface Suspension {
  isSuspended: boolean;
  /** For the audit trail of the team. */
  reason: string;
}

interface Suspending {
  /** Help of both commands. */
  suspend: string;
  resume: string;
  /** Names of the ids that say what is suspended, in their order. */
  ids: readonly string[];
  /** Applies it, and gives the row to print. */
  apply(
    database: Database,
    ids: readonly string[],
    suspension: Suspension,
  ): Promise<Record<string, unknown>>;
}

/** Adds `suspend` and `resume` to a group of commands: the same form for teams, clients and users. */
export function addSuspending(group: Command, output: Output, suspending: Suspending): void {
  for (const name of ['suspend', 'resume'] as const) {
    const command = group
      .command(name)
      .description(suspending[name])
      .requiredOption('--reason <text>', 'why, for the audit trail of the team', parseReason);
    for (const id of suspending.ids)
      command.argument(`<${id}>`, `id of the ${id.replace('-id', '')}`, parseId);
    command.action(async () => {
      const { reason } = command.opts<{ reason: string }>();
      const row = await withDatabase((database) =>
        suspending.apply(database, command.processedArgs.map(String), {
          isSuspended: name === 'suspend',
          reason,
        }),
      );
      output.row(row);
    });
  }
}
