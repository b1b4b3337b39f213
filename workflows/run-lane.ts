import {
  ActivityCancellationType,
  CancellationScope,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { ownerLostSignal, roundName } from '../src/platform/jobs/shape.ts';
import type { LaneArguments, LaneReport, LaneShape } from '../src/platform/jobs/shape.ts';
import { explainCancellation } from './cancellation.ts';
import { lanes } from './lanes.ts';
import { changed, createSignalLatch } from './signal-latch.ts';

const ownerLost = defineSignal(ownerLostSignal);

/** The rows may name an earlier time by then; the one that writes it signals. */
const maxSleepMs = 86_400_000;

/**
 * Drains one lane, which many rows of all teams share. It keeps one activity running, restarts it
 * after a crash, sleeps until something is due, and ends when nothing waits. Its activity decides
 * what is done and what operators read of it.
 */
export async function runLane(args: LaneArguments): Promise<LaneReport['counts']> {
  const shape = shapeOf(workflowInfo().workflowType);
  return explainCancellation(shape.instead, () => repeatDrains(shape, args));
}

async function repeatDrains(
  shape: LaneShape,
  { lane, before }: LaneArguments,
): Promise<LaneReport['counts']> {
  const signal = createSignalLatch(changed);
  const drain = drainOf(shape);
  let report = before;
  for (;;) {
    signal.clear();
    report = await restarted(drain, { lane, ...(report && { before: report }) });
    setCurrentDetails(report.details);
    const { nextDueInMs, counts } = report;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof runLane>({ lane, before: report });
    }
    // A signal may have come with the result of the drain.
    const isSignaled = await (nextDueInMs === null
      ? signal.wait('1 second', 'Ends without a signal')
      : signal.wait(Math.min(Math.max(nextDueInMs, 1), maxSleepMs), 'The next one is due'));
    if (!isSignaled && nextDueInMs === null) return counts;
  }
}

type Drain = (args: LaneArguments) => Promise<LaneReport>;

function drainOf({ workflow, taskQueue }: LaneShape): Drain {
  const activities = proxyActivities<Record<string, Drain>>({
    taskQueue,
    startToCloseTimeout: '3 hours',
    heartbeatTimeout: '5 seconds',
    // The process that is canceled has usually ended, and will not confirm.
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    // Under steady load one activity runs for an hour. The retry interval must not grow with the
    // failures before it.
    retry: { initialInterval: '500 milliseconds', maximumInterval: '1 second' },
  });
  const drain = activities[roundName(workflow)];
  if (!drain) throw new Error(`The lane ${workflow} has no activity.`);
  return drain;
}

/** Runs the activity, and runs it again at once when its process has ended. */
async function restarted(drain: Drain, args: LaneArguments): Promise<LaneReport> {
  for (;;) {
    const scope = new CancellationScope();
    let isOwnerLost = false;
    setHandler(ownerLost, () => {
      isOwnerLost = true;
      scope.cancel();
    });
    try {
      return await scope.run(() => drain(args));
    } catch (error) {
      if (!isOwnerLost || !isCancellation(error)) throw error;
    }
  }
}

function shapeOf(workflowType: string): LaneShape {
  const shape = lanes.find(({ workflow }) => workflow === workflowType);
  if (!shape) throw new Error(`There is no lane ${workflowType}.`);
  return shape;
}
