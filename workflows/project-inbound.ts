import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { InboundOutlook, createInboundActivities } from '../activities/project-inbound.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
import { createSignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

const { applyDueCallbacks } = proxyActivities<ReturnType<typeof createInboundActivities>>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Apply the callbacks that are due, and read what comes next',
});

/** Wake-up signal: a callback could not be applied, or a topic is to be confirmed. */
export const inboundChanged = defineSignal('inboundChanged');

export function inboundWorkflowId(receiverId: string): string {
  return `inbound/${receiverId}`;
}

export interface ProjectInboundArguments {
  v: 1;
  teamId: string;
  receiverId: string;
  /** Counts of the earlier runs that this one continues. */
  before?: InboundCounts;
}

/** Callbacks, counted over all runs of the chain. */
export interface InboundCounts {
  applied: number;
  /** Those whose last attempt failed. */
  givenUp: number;
}

export interface InboundResult extends InboundCounts {
  /** `given_up`: some callbacks stay failed; they can be replayed. `ended`: none was due. */
  outcome: 'applied' | 'given_up' | 'ended';
}

/**
 * Retries callbacks of one receiver that could not be applied, and confirms topics. It ends when no
 * callback waits. A callback whose last attempt failed stays failed, and can be replayed.
 */
export async function projectInbound(args: ProjectInboundArguments): Promise<InboundResult> {
  const { teamId, receiverId, before = { applied: 0, givenUp: 0 } } = args;
  explainCancellation('To stop attempts, delete the receiver in the API.');
  const signal = createSignalLatch(inboundChanged);
  let { applied, givenUp } = before;
  for (;;) {
    signal.clear();
    const outlook: InboundOutlook = await applyDueCallbacks({
      teamId,
      receiverId,
      asOfMs: Date.now(),
    });
    applied += outlook.applied;
    givenUp += outlook.givenUp;
    setCurrentDetails(describe(outlook, { applied, givenUp }));
    // Rows stored during the read have sent their signal already; no further one follows.
    if (!signal.isSet()) {
      const { nextAtMs, waiting } = outlook;
      if (nextAtMs === undefined) {
        const outcome = outcomeOf({ applied, givenUp });
        const nothing = { key: searchAttributes.waiting, value: 0 };
        return endWith({ outcome, applied, givenUp }, [nothing]);
      }
      setSearchAttributes([
        { key: searchAttributes.waiting, value: waiting },
        { key: searchAttributes.dueAt, value: new Date(nextAtMs) },
      ]);
      const summary = `Next attempt at ${new Date(nextAtMs).toISOString()}`;
      await signal.wait(Math.max(nextAtMs - Date.now(), 1), summary);
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof projectInbound>({ ...args, before: { applied, givenUp } });
    }
  }
}

function outcomeOf({ applied, givenUp }: InboundCounts): InboundResult['outcome'] {
  if (givenUp > 0) return 'given_up';
  return applied > 0 ? 'applied' : 'ended';
}

function describe(
  { waiting, nextAtMs, lastError }: InboundOutlook,
  { applied, givenUp }: InboundCounts,
): string {
  const soFar =
    (applied > 0 ? ` ${String(applied)} applied so far.` : '') +
    (givenUp > 0 ? ` ${String(givenUp)} given up: replay them once the cause is corrected.` : '');
  if (nextAtMs === undefined) return `Nothing waits.${soFar}`;
  return (
    `${String(waiting)} callbacks wait. Last error: ${lastError ?? 'none'}. ` +
    `Next attempt at ${new Date(nextAtMs).toISOString()}.${soFar}`
  );
}
