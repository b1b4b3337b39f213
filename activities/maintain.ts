import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Database } from '../src/platform/database/client.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { tasks } from '../src/maintenance/tasks.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';

export interface MaintenanceReport {
  count: number;
  /** Whether nothing is left. */
  isDone: boolean;
}

interface Dependencies {
  database: Database;
  log: Log;
  /** Duration of one turn of a task; a worker that stops does not wait for longer. */
  turnMs?: number;
}

export function createMaintenanceActivities({ database, log, turnMs = 60_000 }: Dependencies) {
  return {
    /** Works on a task for one turn. */
    async maintain(name: string): Promise<MaintenanceReport> {
      const task = tasks[name];
      if (!task)
        throw ApplicationFailure.nonRetryable('The version of the worker has no such task.');
      const { cancellationSignal } = Context.current();
      const endMs = Date.now() + turnMs;
      const turn = {
        count: 0,
        log,
        isOver: () => cancellationSignal.aborted || Date.now() >= endMs,
      };
      const isDone = await withHeartbeat(
        () => task.work(database, turn),
        () => ({ done: turn.count }),
      );
      return { count: turn.count, isDone };
    },
  };
}
