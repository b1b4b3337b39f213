import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExportOutlook, createExportActivities } from '../activities/write-export.ts';
import { cancelRows, cancelable } from './cancellation.ts';
import type { CancelRequest } from './cancellation.ts';
import { pinToVersion } from './pinned.ts';
import { createSignalLatch } from './signal-latch.ts';
import type { SignalLatch } from './signal-latch.ts';
import { endWith } from './search-attributes.ts';

const { writeExportRound } = proxyActivities<ReturnType<typeof createExportActivities>>({
  taskQueue: 'onward-operations',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Write parts of the file for some seconds',
});

/** After a suspension the reconciler signals; this is for a lost signal. */
const heldPause = '10 minutes';

/** Wake-up signal: the export was requested. */
export const exportChanged = defineSignal('exportChanged');

export function exportWorkflowId(exportId: string): string {
  return `export/${exportId}`;
}

export interface WriteExportArguments {
  v: 1;
  teamId: string;
  exportId: string;
}

export interface ExportResult extends Pick<ExportOutlook, 'kind' | 'rows' | 'sizeBytes' | 'error'> {
  outcome: ExportOutlook['status'];
}

/** Writes the file of an export in parts, and resumes after the loss of a worker. */
export async function writeExport(args: WriteExportArguments): Promise<ExportResult> {
  const { teamId, exportId } = args;
  const signal = createSignalLatch(exportChanged);
  return cancelable(
    async () => {
      await cancelRows.cancelExport({ teamId, id: exportId });
      signal.set();
    },
    (request) => writeParts(args, signal, request),
  );
}

pinToVersion(writeExport);

async function writeParts(
  args: WriteExportArguments,
  signal: SignalLatch,
  request: CancelRequest,
): Promise<ExportResult> {
  const { teamId, exportId } = args;
  for (;;) {
    signal.clear();
    const outlook: ExportOutlook = await writeExportRound({ teamId, exportId });
    setCurrentDetails(describe(outlook));
    const { status, kind, rows, sizeBytes, error } = outlook;
    if (status !== 'queued' && status !== 'running') {
      return endWith({
        ...{ outcome: status, kind, rows, sizeBytes },
        ...(error !== undefined && { error }),
      });
    }
    if (outlook.isHeld === true) await signal.wait(heldPause, 'Looks whether the team is resumed');
    await request.settled();
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof writeExport>(args);
  }
}

function describe(outlook: ExportOutlook): string {
  const { status, kind, rows, sizeBytes, error } = outlook;
  if (status === 'deleted') return 'The export was deleted: no file is written.';
  const cause = error === undefined ? '' : ` (${error})`;
  if (outlook.isHeld === true) return `The export of ${kind} waits: its team is suspended.`;
  const isWritten = status !== 'failed' && status !== 'canceled';
  const size = `${String(rows)} rows, ${String(sizeBytes)} bytes.`;
  return (
    `The export of ${kind} is ${status}${cause}: ` +
    (isWritten ? size : 'no file is kept. The client may request it again.')
  );
}
