import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { ScheduleDescription } from '@temporalio/client';
import type { Log } from '../observability/log.ts';
import type { TemporalClient } from './client.ts';
import { taskQueues } from './task-queues.ts';

/** A workflow that runs at intervals. */
export interface ScheduledWorkflow {
  /** Id of the schedule, and prefix of the ids of its runs. */
  id: string;
  workflowType: string;
  args: readonly unknown[];
  everyMinutes: number;
  /** After the full interval, so that not all schedules start their runs in the same minute. */
  offsetMinutes: number;
  /** Purpose, for operators. */
  note: string;
}

const minuteMs = 60_000;
/** A run that is later than this, as after an outage, is left to the next interval. */
const catchupMinutes = 10;
/** Ends a run that makes no progress, such as one whose code fails, so that the next may begin. */
const runTimeoutMinutes = 60;

/**
 * Makes the Temporal Schedules of this version as they are declared: creates those that are
 * missing, updates those that differ, and deletes those on the task queue that are no longer
 * declared. Whether a schedule is paused is left to operators. Returns false where something failed.
 */
export async function keepSchedules(
  temporal: TemporalClient,
  log: Log,
  declared: readonly ScheduledWorkflow[],
): Promise<boolean> {
  let isComplete = true;
  await Promise.all(
    declared.map(async (schedule) => {
      try {
        await temporal.within(() => keepSchedule(temporal, schedule));
      } catch (error) {
        isComplete = false;
        log.warn({ err: error, schedule: schedule.id }, 'the schedule cannot be made or updated');
      }
    }),
  );
  try {
    const ids = new Set(declared.map(({ id }) => id));
    for (const id of await deleteUndeclared(temporal, ids)) {
      log.info({ schedule: id }, 'a schedule without a declaration was deleted');
    }
  } catch (error) {
    isComplete = false;
    log.warn({ err: error }, 'schedules without a declaration cannot be deleted');
  }
  return isComplete;
}

async function keepSchedule({ schedules }: TemporalClient, schedule: ScheduledWorkflow) {
  const { id, note } = schedule;
  const handle = schedules.getHandle(id);
  const found = await handle.describe().catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  });
  const requested = optionsOf(schedule);
  if (!found) {
    await schedules
      .create({ scheduleId: id, ...requested, state: { note } })
      // Another worker was faster.
      .catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'ScheduleAlreadyRunning')) throw error;
      });
  } else if (!isAsDeclared(found, schedule)) {
    await handle.update(({ state }) => ({
      ...requested,
      // The note of a paused schedule is the reason of the pause.
      state: { paused: state.paused, note: state.paused ? (state.note ?? note) : note },
    }));
  }
}

function optionsOf(schedule: ScheduledWorkflow) {
  const { id, workflowType, args, everyMinutes, offsetMinutes, note } = schedule;
  return {
    spec: {
      intervals: [{ every: everyMinutes * minuteMs, offset: offsetMinutes * minuteMs }],
    },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      taskQueue: taskQueues.main,
      workflowId: id,
      args: [...args],
      staticSummary: note,
      workflowRunTimeout: runTimeoutMinutes * minuteMs,
    },
    policies: {
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: catchupMinutes * minuteMs,
      pauseOnFailure: false,
    },
  };
}

/** Compares the form in which the server returns a schedule; the note of a pause may differ. */
function isAsDeclared(found: ScheduleDescription, schedule: ScheduledWorkflow): boolean {
  const requested = optionsOf(schedule);
  const state = { note: found.state.paused ? schedule.note : found.state.note };
  return textOf({ ...found, state }) === textOf({ ...requested, state: { note: schedule.note } });
}

/** Options that `optionsOf` sets or an operator may add; the server adds defaults of its own. */
function textOf({ spec, action, policies, state }: Comparable): string {
  return JSON.stringify([
    [spec.intervals, spec.calendars ?? [], spec.skip ?? []],
    [action.workflowType, action.taskQueue, action.workflowId, action.args ?? []],
    [action.staticSummary, action.workflowRunTimeout, action.workflowExecutionTimeout ?? 0],
    [action.retry ?? null],
    [policies.overlap, policies.catchupWindow, policies.pauseOnFailure],
    state.note,
  ]);
}

type Comparable = Pick<ScheduleDescription, 'policies'> & {
  spec: Pick<ScheduleDescription['spec'], 'intervals' | 'calendars' | 'skip'>;
  action: ScheduleDescription['action'];
  state: { note?: string | undefined };
};

/** Gives the ids of those that it deleted. */
async function deleteUndeclared(
  { schedules, within }: TemporalClient,
  declared: ReadonlySet<string>,
): Promise<string[]> {
  return within(async () => {
    const deleted: string[] = [];
    for await (const { scheduleId: id } of schedules.list()) {
      if (declared.has(id)) continue;
      const handle = schedules.getHandle(id);
      const { action } = await handle.describe();
      // The namespace may have schedules of others.
      if (action.taskQueue !== taskQueues.main) continue;
      await handle.delete();
      deleted.push(id);
    }
    return deleted;
  });
}
