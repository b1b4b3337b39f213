import {
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { roundName } from '../src/platform/jobs/shape.ts';
import type {
  ScheduleArguments,
  ScheduleReport,
  ScheduleShape,
} from '../src/platform/jobs/shape.ts';
import { schedules } from './schedules.ts';

/**
 * Does what a schedule starts, in one activity after the other until no work is left. A run that
 * fails repeatedly ends, which operators see; the schedule starts the next one.
 */
export async function runSchedule(args: ScheduleArguments = {}): Promise<ScheduleReport['result']> {
  const work = workOf(shapeOf(workflowInfo().workflowType));
  try {
    const { details, result, rest } = await work(args);
    setCurrentDetails(details);
    if (rest) await continueAsNew<typeof runSchedule>(rest);
    return result;
  } catch (error) {
    explainFailure(error);
    throw error;
  }
}

type Work = (args: ScheduleArguments) => Promise<ScheduleReport>;

function workOf({ workflow, taskQueue, startToCloseTimeout }: ScheduleShape): Work {
  const activities = proxyActivities<Record<string, Work>>({
    taskQueue,
    startToCloseTimeout,
    scheduleToCloseTimeout: '45 minutes',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
  });
  const work = activities[roundName(workflow)];
  if (!work) throw new Error(`The schedule of ${workflow} has no activity.`);
  return work;
}

function shapeOf(workflowType: string): ScheduleShape {
  const shape = schedules.find(({ workflow }) => workflow === workflowType);
  if (!shape) throw new Error(`There is no schedule of ${workflowType}.`);
  return shape;
}

function explainFailure(error: unknown): void {
  if (error instanceof ContinueAsNew) return;
  setCurrentDetails(
    isCancellation(error)
      ? 'Canceled in Temporal: the next run of the schedule does the work.'
      : 'The run has failed: its last failure is in the timeline, and the line `an activity ' +
          'failed` of the worker has the stack. The next run of the schedule does the work.',
  );
}
