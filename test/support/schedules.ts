import type { Client, WorkflowHandle } from '@temporalio/client';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { eventually } from './eventually.ts';

/** Starts a schedule once more, when it is there; gives the run. */
export async function trigger(
  { schedule: schedules, workflow }: Client,
  scheduleId: string,
): Promise<WorkflowHandle> {
  const schedule = schedules.getHandle(scheduleId);
  const before = await eventually(
    () =>
      schedule.describe().then(
        ({ info }) => info,
        () => undefined,
      ),
    (info) => info !== undefined,
  );
  let skipped = before?.numActionsSkippedOverlap ?? 0;
  await schedule.trigger(ScheduleOverlapPolicy.SKIP);
  const { info } = await eventually(
    async () => {
      const described = await schedule.describe();
      // Its own time had come, and that run had not ended.
      if (described.info.numActionsSkippedOverlap > skipped) {
        skipped = described.info.numActionsSkippedOverlap;
        await schedule.trigger(ScheduleOverlapPolicy.SKIP);
      }
      return described;
    },
    ({ info: now }) => now.numActionsTaken > (before?.numActionsTaken ?? 0),
  );
  const action = info.recentActions.at(-1);
  if (action?.action.type !== 'startWorkflow') throw new Error('the schedule starts no workflow');
  return workflow.getHandle(action.action.workflow.workflowId);
}

/** The same; resolves at the end of the run. */
export async function runNow(client: Client, scheduleId: string): Promise<WorkflowHandle> {
  const run = await trigger(client, scheduleId);
  await run.result();
  return run;
}
