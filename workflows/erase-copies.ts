import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { ErasureOutlook, createErasureActivities } from '../activities/erase-copies.ts';
import { explainCancellation } from './cancellation.ts';
import { createSignalLatch } from './signal-latch.ts';
import { endWith } from './search-attributes.ts';

const { eraseCopiesRound } = proxyActivities<ReturnType<typeof createErasureActivities>>({
  taskQueue: 'onward-operations',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Erase the copies of erased contacts',
});

/** Wake-up signal: a contact of the team was erased. */
export const erasureChanged = defineSignal('erasureChanged');

export function erasureWorkflowId(teamId: string): string {
  return `erasure/${teamId}`;
}

export interface EraseCopiesArguments {
  v: 1;
  teamId: string;
  /** Erasures that the earlier runs of the chain have completed. */
  completed?: number;
}

export interface ErasureResult {
  outcome: 'completed';
  /** Erasures that all runs of the chain have completed. */
  completed: number;
}

/** Erases the remaining copies of the erased contacts of a team, and ends when none is left. */
export async function eraseCopies(args: EraseCopiesArguments): Promise<ErasureResult> {
  const { teamId } = args;
  explainCancellation('An erasure cannot be stopped.');
  const signal = createSignalLatch(erasureChanged);
  let { completed = 0 } = args;
  for (;;) {
    signal.clear();
    const outlook: ErasureOutlook = await eraseCopiesRound({ teamId });
    completed += outlook.completed;
    setCurrentDetails(describe(outlook.open, completed));
    if (!signal.isSet()) {
      if (outlook.pauseMs === undefined) return endWith({ outcome: 'completed', completed });
      await signal.wait(outlook.pauseMs, 'The next round');
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof eraseCopies>({ ...args, completed });
    }
  }
}

function describe(open: number, completed: number): string {
  const done = completed > 0 ? ` ${String(completed)} were completed by this workflow.` : '';
  if (open === 0) return `No erasure of the team is open.${done}`;
  return `${String(open)} erasures of the team are not completed yet.${done}`;
}
