import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { FetchOutlook, createFetchActivities } from '../activities/fetch-file.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
import { createSignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

const { fetchFileOnce } = proxyActivities<ReturnType<typeof createFetchActivities>>({
  taskQueue: 'onward-file-fetches',
  startToCloseTimeout: '40 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Fetch the file, or read when that is due',
});

/** A callback named the file. */
export const fetchChanged = defineSignal('fetchChanged');

export function fetchWorkflowId(uploadId: string): string {
  return `file-fetch/${uploadId}`;
}

export interface FetchFileArguments {
  v: 1;
  teamId: string;
  uploadId: string;
}

export interface FetchResult {
  /** `ended`: there was nothing to fetch any more. */
  outcome: 'fetched' | 'failed' | 'ended';
  attempts: number;
  /** The code of the last failure. */
  error?: string;
}

/**
 * Fetches a file from the server of a partner. It waits until each attempt is due, and ends when
 * the import has begun or the fetch has failed.
 */
export async function fetchFile(args: FetchFileArguments): Promise<FetchResult> {
  const { teamId, uploadId } = args;
  explainCancellation('To stop a fetch, set the file source inactive in the API.');
  const signal = createSignalLatch(fetchChanged);
  for (;;) {
    signal.clear();
    const outlook: FetchOutlook = await fetchFileOnce({ teamId, uploadId, asOfMs: Date.now() });
    setCurrentDetails(describe(outlook));
    if (outlook.nextAtMs === undefined) return endWith(resultOf(outlook));
    const at = new Date(outlook.nextAtMs);
    setSearchAttributes([{ key: searchAttributes.dueAt, value: at }]);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof fetchFile>(args);
    const waitMs = Math.max(outlook.nextAtMs - Date.now(), 1);
    await signal.wait(waitMs, `Next attempt at ${at.toISOString()}`);
  }
}

function resultOf({ attempts, lastError }: FetchOutlook): FetchResult {
  if (lastError !== undefined) return { outcome: 'failed', attempts, error: lastError };
  return { outcome: attempts > 0 ? 'fetched' : 'ended', attempts };
}

function describe(outlook: FetchOutlook): string {
  const { attempts, nextAtMs, lastError } = outlook;
  const last = lastError === undefined ? '' : ` Last error: ${lastError}.`;
  const made = `${String(attempts)} attempts.${last}`;
  if (nextAtMs !== undefined) return `${made} Next attempt at ${new Date(nextAtMs).toISOString()}.`;
  switch (resultOf(outlook).outcome) {
    case 'failed':
      return `${made} The fetch has failed: its source or the callback is to be corrected.`;
    case 'fetched':
      return `${made} The file was fetched, and its import has begun.`;
    default:
      return 'Nothing was to be fetched: the fetch had ended before.';
  }
}
