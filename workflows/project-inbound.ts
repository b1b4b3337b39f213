import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { InboundOutlook, createInboundActivities } from '../activities/project-inbound.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { createSignalLatch } from './signal-latch.ts';
import { setSearchAttributes } from './search-attributes.ts';

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
}

/**
 * Retries callbacks of one receiver that could not be applied, and confirms topics. It ends when no
 * callback waits. A callback whose last attempt failed stays failed, and can be replayed.
 */
export async function projectInbound(args: ProjectInboundArguments): Promise<void> {
  const { teamId, receiverId } = args;
  const signal = createSignalLatch(inboundChanged);
  let applied = 0;
  for (;;) {
    signal.clear();
    const outlook: InboundOutlook = await applyDueCallbacks({
      teamId,
      receiverId,
      asOfMs: Date.now(),
    });
    applied += outlook.applied;
    setCurrentDetails(describe(outlook, applied));
    // Rows stored during the read have sent their signal already; no further one follows.
    if (signal.isSet()) continue;
    if (outlook.nextAtMs === undefined) {
      setSearchAttributes([{ key: searchAttributes.waiting, value: 0 }]);
      return;
    }
    setSearchAttributes([
      { key: searchAttributes.waiting, value: outlook.waiting },
      { key: searchAttributes.dueAt, value: new Date(outlook.nextAtMs) },
    ]);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof projectInbound>(args);
    await signal.wait(Math.max(outlook.nextAtMs - Date.now(), 1));
  }
}

function describe({ waiting, nextAtMs, lastError }: InboundOutlook, applied: number): string {
  const soFar = applied > 0 ? ` ${String(applied)} applied so far.` : '';
  if (nextAtMs === undefined) return `Nothing waits.${soFar}`;
  return (
    `${String(waiting)} callbacks wait. Last error: ${lastError ?? 'none'}. ` +
    `Next attempt at ${new Date(nextAtMs).toISOString()}.${soFar}`
  );
}
