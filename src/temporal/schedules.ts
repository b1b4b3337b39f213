import type { Log } from '../log.ts';
import type { TemporalClient } from './client.ts';
import { taskQueues } from './task-queues.ts';

/** A workflow that runs at intervals. */
export interface ScheduledWorkflow {
  /** Of the schedule, and the start of the ids of its runs. */
  id: string;
  workflowType: string;
  every: '5 minutes' | '1 hour';
  /** What it does, for operators. */
  note: string;
}

/** Makes a Temporal Schedule, which operators see and can trigger, unless it is there. */
export async function ensureSchedule(
  temporal: TemporalClient,
  log: Log,
  { id, workflowType, every, note }: ScheduledWorkflow,
): Promise<void> {
  try {
    await temporal.within(() =>
      temporal.client.schedule.create({
        scheduleId: id,
        spec: { intervals: [{ every }] },
        action: {
          type: 'startWorkflow',
          workflowType,
          taskQueue: taskQueues.main,
          workflowId: id,
          args: [],
        },
        state: { note },
      }),
    );
  } catch (error) {
    const exists = error instanceof Error && error.name === 'ScheduleAlreadyRunning';
    if (!exists) log.warn({ err: error, schedule: id }, 'the schedule cannot be made');
  }
}
