import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  JourneyLook,
  JourneySight,
  createWatchActivities,
} from '../activities/watch-journey.ts';
import { describeProspect } from '../src/journeys/watches/rules.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
import { listCounts } from './list-counts.ts';
import { createSignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

const { lookAtJourney } = proxyActivities<ReturnType<typeof createWatchActivities>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Read the journey',
});

/** Wake-up signal: the watch has changed, or an operator wants to see the journey now. */
export const watchChanged = defineSignal('watchChanged');

export function journeyWorkflowId(journeyId: string): string {
  return `journey/${journeyId}`;
}

export interface WatchJourneyArguments {
  v: 1;
  teamId: string;
  journeyId: string;
}

export interface WatchResult {
  outcome: NonNullable<JourneyLook['outcome']>;
  /** Messages that were decided, sent or not. */
  decided: number;
}

/** Pauses between two readings, each twice as long as the one before until something changes. */
const firstPauseMs = 5_000;
const longestPauseMs = 300_000;
/** A lane makes a step within this time. */
const stepMs = 2_000;

/**
 * Shows one journey for as long as somebody watches it, or for as long as a step of it is overdue.
 * It only reads: the lanes run the journey, watched or not.
 */
export async function watchJourney(args: WatchJourneyArguments): Promise<WatchResult> {
  const { teamId, journeyId } = args;
  explainCancellation('To end a watch, delete it in the API.');
  const signal = createSignalLatch(watchChanged);
  let shown = '';
  let readings = 0;
  let isNamed = false;
  for (;;) {
    signal.clear();
    const { journey, outcome } = await lookAtJourney({ teamId, journeyId });
    setCurrentDetails(detailsOf(journey, outcome));
    if (outcome !== undefined) return endWith({ outcome, decided: journey?.decided ?? 0 });
    if (journey && !isNamed) {
      isNamed = true;
      setSearchAttributes([{ key: searchAttributes.templateId, value: journey.templateId }]);
    }
    const seen = JSON.stringify(journey);
    readings = seen === shown ? readings + 1 : 0;
    shown = seen;
    await signal.wait(pauseOf(journey, readings), 'Reads the journey again');
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof watchJourney>(args);
  }
}

function pauseOf(journey: JourneySight | undefined, readings: number): number {
  const pauseMs = Math.min(firstPauseMs * 2 ** readings, longestPauseMs);
  const stepInMs = (journey?.nextStepAtMs ?? Infinity) - Date.now() + stepMs;
  return stepInMs > 0 ? Math.min(pauseMs, stepInMs) : pauseMs;
}

/** Why the view of a journey that goes on has ended. */
const endings: Partial<Record<WatchResult['outcome'], string>> = {
  recovered: ' The overdue step was made; this view has ended, and the journey goes on.',
  unwatched: ' Nobody watches it any more; this view has ended, and the journey goes on.',
};

function detailsOf(journey: JourneySight | undefined, outcome: JourneyLook['outcome']): string {
  if (!journey) return 'The journey exists no longer, and nothing more is sent.';
  const ending = (outcome !== undefined && endings[outcome]) || '';
  return `${describe(journey)}${ending} Read at ${new Date().toISOString()}.`;
}

function describe(journey: JourneySight): string {
  const { status, exitReason, templateStatus, decided, messages, skipped, attempts } = journey;
  const { isOverdue, nextStepAtMs, nextAttemptAtMs, prospect } = journey;
  const [figures, reasons] = [listCounts(messages), listCounts(skipped)];
  const step = prospect ? describeProspect(prospect) : describeTime(nextStepAtMs);
  const queued =
    nextAttemptAtMs === null
      ? ''
      : ` A message waits in the send queue, after ${String(attempts)} attempts; the next one is ` +
        `due at ${new Date(nextAttemptAtMs).toISOString()}.`;
  return (
    `The journey is ${status}${exitReason === null ? '' : ` (${exitReason})`}, its template is ` +
    `${templateStatus}. ${isOverdue ? 'It is overdue. ' : ''}${String(decided)} messages decided` +
    (figures === '' ? '. ' : `: ${figures}${reasons === '' ? '' : ` (${reasons})`}. `) +
    step +
    queued
  );
}

function describeTime(nextStepAtMs: number | null): string {
  if (nextStepAtMs === null) return 'No step is scheduled.';
  return `The next step is due at ${new Date(nextStepAtMs).toISOString()}.`;
}
