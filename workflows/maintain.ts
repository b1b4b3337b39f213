import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { createMaintenanceActivities } from '../activities/maintain.ts';
import { explainFailure } from './explain-failure.ts';

const { maintain: work } = proxyActivities<ReturnType<typeof createMaintenanceActivities>>({
  taskQueue: 'onward-maintenance',
  startToCloseTimeout: '3 minutes',
  // A task that fails repeatedly ends its run, which operators see; the schedule starts the next
  // one.
  scheduleToCloseTimeout: '45 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes' },
});

/** Id of the schedule of a task, and prefix of the ids of its runs. */
export const maintenanceScheduleId = (task: string) => `maintenance/${task}`;

export interface MaintainArguments {
  v: 1;
  task: string;
  /** Items that earlier runs of the chain have processed. */
  done: number;
}

export interface MaintainResult {
  task: string;
  /** Items that all runs of the chain have processed. */
  done: number;
}

/** Runs one task of maintenance in activities of up to a minute, until no work is left. */
export async function maintain({ v, task, done }: MaintainArguments): Promise<MaintainResult> {
  const { count, isDone } = await explainFailure(() => work(task));
  const total = done + count;
  setCurrentDetails(`${task}: ${String(total)} done${isDone ? '.' : ' so far; more is left.'}`);
  if (!isDone) await continueAsNew<typeof maintain>({ v, task, done: total });
  return { task, done: total };
}
