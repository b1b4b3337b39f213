import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { ScheduleArguments, ScheduleReport } from '../src/platform/jobs/shape.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { tasks } from '../src/maintenance/tasks.ts';

interface Tools {
  database: Database;
  keyring: Keyring;
  log: Log;
  /** Duration of one turn of a task; a worker that stops does not wait for longer. */
  turnMs?: number;
}

/** Works on a task for one turn. */
export async function maintain(
  { database, keyring, log, turnMs = 60_000 }: Tools,
  { task: name = '', done: before = 0 }: ScheduleArguments,
  show: (progress: object) => void,
): Promise<ScheduleReport> {
  const task = tasks[name];
  if (!task) throw ApplicationFailure.nonRetryable('The version of the worker has no such task.');
  const { cancellationSignal } = Context.current();
  const endMs = Date.now() + turnMs;
  const turn = {
    count: 0,
    keyring,
    log,
    isOver: () => cancellationSignal.aborted || Date.now() >= endMs,
  };
  show({
    get done() {
      return turn.count;
    },
  });
  const isDone = await task.work(database, turn);
  const done = before + turn.count;
  return {
    details: `${name}: ${String(done)} done${isDone ? '.' : ' so far; more is left.'}`,
    result: { task: name, done },
    ...(!isDone && { rest: { task: name, done } }),
  };
}
