import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunOutlook, createOperationActivities } from '../activities/run-operation.ts';
import { isOpen, maxUploadItems } from '../src/operations/runs/rules.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { cancelRows, cancelable } from './cancellation.ts';
import type { CancelRequest } from './cancellation.ts';
import { acceptUpdate, operatorActions, outOfRange, updatesFinished } from './operator-updates.ts';
import type { OperatorRequest } from './operator-updates.ts';
import { listCounts } from './list-counts.ts';
import { pinToVersion } from './pinned.ts';
import { createSignalLatch } from './signal-latch.ts';
import type { SignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

const { runOperationRound } = proxyActivities<ReturnType<typeof createOperationActivities>>({
  taskQueue: 'onward-operations',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Apply items for some seconds',
});

/** Wake-up signal: the run was requested or canceled, or it is its turn. */
export const operationChanged = defineSignal('operationChanged');

export function operationWorkflowId(runId: string): string {
  return `operation/${runId}`;
}

export function batchWorkflowId(runId: string): string {
  return `batch/${runId}`;
}

export interface RunOperationArguments {
  v: 1;
  teamId: string;
  runId: string;
}

type Counts = 'total' | 'processed' | 'failed' | 'skipped';
export interface RunResult extends Pick<
  RunOutlook,
  'kind' | Counts | 'failures' | 'failedItems' | 'error'
> {
  outcome: RunOutlook['status'];
}

/** The run whose turn it is is signaled; this is for a signal that was lost. */
const queuedPause = '10 minutes';
const maxHistoryEvents = 1_000;

/**
 * Applies an operation to the items of a run. It waits for its turn among the runs of the team,
 * resumes after the loss of a worker, and ends with the run.
 */
export async function runOperation(args: RunOperationArguments): Promise<RunResult> {
  const { teamId, runId } = args;
  const signal = createSignalLatch(operationChanged);
  acceptUpdate<OperatorRequest & { index: number }>(
    'skipItem',
    'Leave out an item that is not yet applied, by its index from 0: {"operator": "<name>", "index": 17}',
    {
      refusal: ({ index }) => outOfRange('index', index, { least: 0, most: maxUploadItems - 1 }),
      apply: ({ operator, index }) =>
        operatorActions.skipRunItem({ teamId, id: runId, operator, index }),
    },
  );
  return cancelable(
    async () => {
      await cancelRows.cancelOperationRun({ teamId, id: runId });
      signal.set();
    },
    (request) => applyItems(args, signal, request),
  );
}

pinToVersion(runOperation);

async function applyItems(
  args: RunOperationArguments,
  signal: SignalLatch,
  request: CancelRequest,
): Promise<RunResult> {
  const { teamId, runId } = args;
  let isShown = false;
  for (;;) {
    signal.clear();
    const outlook: RunOutlook = await runOperationRound({ teamId, runId });
    setCurrentDetails(describe(outlook));
    if (hasEnded(outlook)) {
      await updatesFinished();
      return endWith(resultOf(outlook), [
        { key: searchAttributes.operationKind, value: outlook.kind },
        { key: searchAttributes.waiting, value: 0 },
      ]);
    }
    if (!isShown) {
      isShown = true;
      setSearchAttributes([
        { key: searchAttributes.operationKind, value: outlook.kind },
        { key: searchAttributes.waiting, value: outlook.total - outlook.processed },
      ]);
    }
    if (outlook.isHeld === true)
      await signal.wait(queuedPause, 'Looks whether the team is resumed');
    else if (outlook.status === 'queued')
      await signal.wait(queuedPause, 'Looks whether it is its turn');
    await request.settled();
    await updatesFinished();
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > maxHistoryEvents) {
      await continueAsNew<typeof runOperation>(args);
    }
  }
}

const hasEnded = ({ status }: RunOutlook) => status === 'deleted' || !isOpen(status);

function resultOf(outlook: RunOutlook): RunResult {
  const { status, kind, total, processed, failed, skipped } = outlook;
  const { failures, failedItems, error } = outlook;
  return {
    ...{ outcome: status, kind, total, processed, failed, skipped },
    ...(failures && { failures }),
    ...(failedItems && { failedItems }),
    ...(error !== undefined && { error }),
  };
}

function describe(outlook: RunOutlook): string {
  const { status, kind, total, processed, failed, skipped, ahead, remainingSeconds } = outlook;
  const codes = listCounts(outlook.failures ?? {});
  if (status === 'deleted') return 'The run was deleted, with its results.';
  if (outlook.isHeld === true) return `${kind} waits: its team is suspended.`;
  if (status === 'queued') {
    return `${kind} waits: ${String(ahead)} runs of the team come first.`;
  }
  const then =
    remainingSeconds > 0 && !hasEnded(outlook) ? ` About ${String(remainingSeconds)} s to go.` : '';
  const cause = outlook.error === undefined ? '' : ` The run as a whole: ${outlook.error}.`;
  return (
    `${kind} is ${status}: ${String(processed)} of ${String(total)} items done, ` +
    `${String(failed)} of them failed${codes === '' ? '' : ` (${codes})`}, ` +
    `${String(skipped)} skipped.${cause}${describeFailed(outlook)}${then}`
  );
}

function describeFailed({ failed, failedItems = [] }: RunOutlook): string {
  if (failedItems.length === 0) return '';
  const items = failedItems.map(
    ({ index, code, field }) => `${String(index)} ${code}${field === undefined ? '' : ` ${field}`}`,
  );
  const more = failed > items.length ? `, and ${String(failed - items.length)} more` : '';
  return ` Failed items by their index from 0: ${items.join('; ')}${more}.`;
}
