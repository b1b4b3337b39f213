import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributePair, SignalDefinition } from '@temporalio/common';
import type { ReplayOutlook } from '../src/platform/replays/rules.ts';
import { highestRate, isOpen, pauseMs } from '../src/platform/replays/rules.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { cancelable } from './cancellation.ts';
import type { CancelRequest } from './cancellation.ts';
import { acceptUpdate, operatorActions, outOfRange, updatesFinished } from './operator-updates.ts';
import type { OperatorRequest } from './operator-updates.ts';
import { createSignalLatch } from './signal-latch.ts';
import type { SignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

/** A replay of some kind, as its workflow runs it. */
interface Replay<Outlook extends ReplayOutlook> {
  kind: 'inbound_replay' | 'webhook_replay';
  teamId: string;
  id: string;
  /** Wake-up signal: it was requested or canceled. */
  changed: SignalDefinition;
  round(): Promise<Outlook>;
  /** Whose deliveries it replays, by which operators find it. */
  ownerOf(outlook: Outlook): SearchAttributePair;
  /** Cancels it as the API does. */
  cancel(): Promise<void>;
  /** Continues as a new run. */
  again(): Promise<never>;
}

type Counts = 'matched' | 'replayed' | 'succeeded' | 'failed' | 'skipped';
export interface ReplayResult extends Pick<ReplayOutlook, Counts> {
  outcome: ReplayOutlook['status'];
}

/** A round and the pause after it make a dozen events. */
const maxHistoryEvents = 1_000;

/**
 * Replays deliveries at a given rate. The row stores the request, the progress and the status. This
 * function keeps the rate, retries after the loss of a worker, and ends with the replay.
 */
export async function runRounds<Outlook extends ReplayOutlook>(
  replay: Replay<Outlook>,
): Promise<ReplayResult> {
  const signal = createSignalLatch(replay.changed);
  const { kind, teamId, id } = replay;
  acceptUpdate<OperatorRequest & { ratePerSecond: number }>(
    'setRate',
    'Replay so many deliveries a second: {"operator": "<name>", "ratePerSecond": 50}',
    {
      refusal: ({ ratePerSecond }) =>
        outOfRange('ratePerSecond', ratePerSecond, { least: 1, most: highestRate }),
      async apply({ operator, ratePerSecond }) {
        const request = { kind, teamId, id, operator, ratePerSecond };
        const answer = await operatorActions.setReplayRate(request);
        signal.set();
        return answer;
      },
    },
  );
  return cancelable(
    async () => {
      await replay.cancel();
      signal.set();
    },
    (request) => repeatRounds(replay, signal, request),
  );
}

async function repeatRounds<Outlook extends ReplayOutlook>(
  replay: Replay<Outlook>,
  signal: SignalLatch,
  request: CancelRequest,
): Promise<ReplayResult> {
  let isShown = false;
  for (;;) {
    signal.clear();
    const beganAtMs = Date.now();
    const outlook = await replay.round();
    setCurrentDetails(describe(outlook, replay.ownerOf(outlook)));
    const { status, ratePerSecond, replayedNow } = outlook;
    if (!isOpen(status)) {
      await updatesFinished();
      return endWith(resultOf(outlook), [{ key: searchAttributes.waiting, value: 0 }]);
    }
    if (!isShown) {
      isShown = true;
      setSearchAttributes([
        replay.ownerOf(outlook),
        { key: searchAttributes.waiting, value: waitingOf(outlook) },
      ]);
    }
    const waitMs = pauseMs(replayedNow, ratePerSecond, Date.now() - beganAtMs);
    if (waitMs > 0) await signal.wait(waitMs, 'Keeps to the rate');
    await request.settled();
    await updatesFinished();
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > maxHistoryEvents) await replay.again();
  }
}

function resultOf(outlook: ReplayOutlook): ReplayResult {
  const { status, matched, replayed, succeeded, failed, skipped } = outlook;
  return { outcome: status, matched, replayed, succeeded, failed, skipped };
}

const waitingOf = ({ matched, replayed, skipped }: ReplayOutlook) =>
  Math.max(0, matched - replayed - skipped);

function describe(outlook: ReplayOutlook, { key, value }: SearchAttributePair): string {
  const { status, matched, replayed, failed, skipped, ratePerSecond } = outlook;
  const left = String(waitingOf(outlook));
  const rest = isOpen(status)
    ? `${left} wait, at ${String(ratePerSecond)} a second.`
    : `${left} were not replayed.`;
  const cause =
    status === 'failed'
      ? ' An error came back five times: the line `a replay is given up` of the worker has it.'
      : '';
  // Nothing is known of a replay whose row was deleted.
  const owner = value === '' ? '' : ` ${key.name}: ${String(value)}.`;
  return (
    `The replay is ${status}: ${String(replayed)} of ${String(matched)} deliveries replayed, ` +
    `${String(failed)} of them failed, ${String(skipped)} skipped. ${rest}${cause}${owner}`
  );
}
