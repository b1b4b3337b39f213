import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { roundName } from '../src/platform/jobs/shape.ts';
import type {
  JobArguments,
  JobResult,
  JobShape,
  Round,
  RoundRequest,
} from '../src/platform/jobs/shape.ts';
import { cancelable } from './cancellation.ts';
import type { CancelRequest, LastRound } from './cancellation.ts';
import { jobs } from './jobs.ts';
import { acceptUpdates } from './operator-updates.ts';
import { endWith, show } from './search-attributes.ts';
import { changed, createSignalLatch } from './signal-latch.ts';
import type { SignalLatch } from './signal-latch.ts';

/** A round and the pause after it make a dozen events. */
const maxHistoryEvents = 1_000;
/** Longest single timer; a deadline may lie thousands of years ahead. */
const maxWaitMs = 365 * 86_400_000;

/**
 * Runs the job of one row until the row needs it no longer: a round of work, a wait until the row
 * changes or something is due, and so on. Each round reads the row again. Its activity decides what
 * it does, what operators read of it and what follows, so that a change of a job is none of
 * this code.
 */
export async function runJob(args: JobArguments): Promise<JobResult> {
  const shape = shapeOf(workflowInfo().workflowType);
  const signal = createSignalLatch(changed);
  acceptUpdates(shape, args, signal);
  const { details, next } = await cancelable(shape, args, signal, (request) =>
    repeatRounds(shape, args, signal, request),
  );
  if (next.isFailed) {
    const failure = {
      message: details,
      type: 'Failed',
      nonRetryable: true,
      details: [next.result],
    };
    throw ApplicationFailure.create(failure);
  }
  return next.result;
}

async function repeatRounds(
  shape: JobShape,
  args: JobArguments,
  signal: SignalLatch,
  request: CancelRequest,
): Promise<LastRound> {
  const { teamId, id } = args;
  const round = roundOf(shape);
  let { state } = args;
  let isSignaled = true;
  for (;;) {
    signal.clear();
    const { details, shown, next, ...then } = await round({
      ...{ teamId, id, isSignaled },
      asOfMs: Date.now(),
      ...(state !== undefined && { state }),
    });
    ({ state } = then);
    setCurrentDetails(details);
    if (next.kind === 'end') {
      await condition(allHandlersFinished);
      if (!next.unlessSignaled || !signal.isSet()) {
        endWith(next.result, shown);
        return { details, next };
      }
    }
    show(shown);
    isSignaled = true;
    if (next.kind === 'wait') {
      const waitMs = Math.min(Math.max(next.atMs - Date.now(), 1), maxWaitMs);
      isSignaled = await signal.wait(waitMs, next.summary);
    }
    await request.settled();
    await condition(allHandlersFinished);
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > maxHistoryEvents) {
      const passedOn = state === undefined ? {} : { state };
      await continueAsNew<typeof runJob>({ teamId, id, ...passedOn });
    }
  }
}

type RunRound = (request: RoundRequest<unknown>) => Promise<Round<unknown>>;

function roundOf({ workflow, round }: JobShape): RunRound {
  const { longestPause = '10 seconds', ...options } = round;
  const activities = proxyActivities<Record<string, RunRound>>({
    startToCloseTimeout: '3 minutes',
    heartbeatTimeout: '10 seconds',
    ...options,
    retry: { initialInterval: '500 milliseconds', maximumInterval: longestPause },
  });
  const run = activities[roundName(workflow)];
  if (!run) throw new Error(`The job ${workflow} has no activity.`);
  return run;
}

/** Fails the task, not the workflow: another worker may know the type. */
function shapeOf(workflowType: string): JobShape {
  const shape = jobs.find(({ workflow }) => workflow === workflowType);
  if (!shape) throw new Error(`There is no workflow ${workflowType}.`);
  return shape;
}

// The server refuses this of workers without a version, where it has no effect: the build id of such
// a worker is made up, and its deployment has no name.
setWorkflowOptions(() => {
  const { workflowType, currentDeploymentVersion } = workflowInfo();
  const isPinned = shapeOf(workflowType).isPinned && currentDeploymentVersion?.deploymentName;
  return isPinned ? { versioningBehavior: 'PINNED' } : {};
}, runJob);
