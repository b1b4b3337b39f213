import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { JourneyOutlook, createJourneyActivities } from '../activities/move-journeys.ts';
import type {
  Campaign,
  TemplateOutlook,
  createTemplateActivities,
} from '../activities/run-template.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
import { listCounts } from './list-counts.ts';
import { createSignalLatch } from './signal-latch.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';

const { advanceTemplate } = proxyActivities<ReturnType<typeof createTemplateActivities>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
  summary: 'Apply what is due to the template, and read what comes next',
});

const { moveJourneys } = proxyActivities<ReturnType<typeof createJourneyActivities>>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
  summary: 'Start, move or end journeys of the template for some seconds',
});

/** Longest single timer; a deadline may lie thousands of years ahead. */
const maxWaitMs = 365 * 86_400_000;

/** Pauses between two readings of a launched template, each twice as long as the one before. */
const firstPauseMs = 60_000;
const longestPauseMs = 900_000;

/** Wake-up signal: the upcoming times of the template have changed. */
export const templateChanged = defineSignal('templateChanged');

export function templateWorkflowId(templateId: string): string {
  return `template/${templateId}`;
}

export interface RunTemplateArguments {
  v: 1;
  teamId: string;
  templateId: string;
  /** Journeys that the earlier runs of the chain have moved. */
  before?: MovedJourneys;
}

/** Journeys that the rounds of all runs of the chain have moved. */
export interface MovedJourneys {
  ended: number;
  released: number;
}

export interface TemplateResult extends MovedJourneys {
  /** The status of the template, which is no longer under way. */
  outcome: TemplateOutlook['status'];
}

/**
 * Lives as long as its template is scheduled, launched or paused: launches and expires it on time,
 * moves its journeys after a change of the template, and shows the numbers of the campaign.
 */
export async function runTemplate(args: RunTemplateArguments): Promise<TemplateResult> {
  const { teamId, templateId, before = { ended: 0, released: 0 } } = args;
  explainCancellation('To stop a launch, unschedule the template in the API.');
  const signal = createSignalLatch(templateChanged);
  let dueAtMs: number | undefined;
  let moved = before;
  let readings = 0;
  for (;;) {
    signal.clear();
    const outlook: TemplateOutlook = await advanceTemplate({
      teamId,
      templateId,
      asOfMs: Date.now(),
    });
    setCurrentDetails(describe(outlook));
    // A change during the read has sent its signal already; no further one follows.
    if (!signal.isSet()) {
      if (outlook.needsResync) {
        const withinMs = outlook.next ? outlook.next.atMs - Date.now() : maxWaitMs;
        const journeys = await moveJourneys({ teamId, templateId, withinMs });
        const { ended, released } = journeys;
        moved = { ended: moved.ended + ended, released: moved.released + released };
        setCurrentDetails(`${describe(outlook)} ${describeJourneys(journeys, moved)}`);
      } else if (outlook.isUnderWay || outlook.next) {
        const { next } = outlook;
        if (next?.atMs !== dueAtMs) {
          const value = next ? new Date(next.atMs) : null;
          setSearchAttributes([{ key: searchAttributes.dueAt, value }]);
        }
        dueAtMs = next?.atMs;
        const { waitMs, summary } = waitOf(outlook, readings);
        readings = (await signal.wait(waitMs, summary)) ? 0 : readings + 1;
      } else {
        setCurrentDetails(describeEnd(outlook, moved));
        return endWith({ outcome: outlook.status, ...moved });
      }
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof runTemplate>({ ...args, before: moved });
    }
  }
}

/** Until the next change; a launched template is read again sooner, less often as time goes on. */
function waitOf({ status, next }: TemplateOutlook, readings: number) {
  const untilNextMs = next ? Math.max(next.atMs - Date.now(), 1) : maxWaitMs;
  const pauseMs = Math.min(firstPauseMs * 2 ** readings, longestPauseMs);
  if (status === 'launched' && pauseMs < untilNextMs) {
    const then = next ? `; ${describeNext(next)}` : '';
    return { waitMs: pauseMs, summary: `Reads the numbers of the campaign again${then}` };
  }
  const summary = next ? describeNext(next) : 'Waits for a change of the template';
  return { waitMs: Math.min(untilNextMs, maxWaitMs), summary };
}

function describe({ status, next, isUnderWay, campaign }: TemplateOutlook): string {
  if (!isUnderWay) return `The template is ${status}.`;
  const then = next
    ? `It ${describeNext(next)}, unless a client changes that before.`
    : 'No launch or expiry is scheduled.';
  const numbers = campaign ? ` ${describeCampaign(campaign)}` : '';
  return `The template is ${status}. ${then}${numbers}`;
}

function describeCampaign(campaign: Campaign): string {
  const { enrolled, active, messages, skipped, nextStepAtMs, halted } = campaign;
  // A message that was queued counts as such for good, and as what became of it as well.
  const { queued = 0, skipped: left = 0, ...became } = messages;
  const [figures, reasons] = [listCounts(became), listCounts(skipped)];
  const step =
    nextStepAtMs === null
      ? 'No step of a journey is scheduled.'
      : `The next step of a journey is due at ${new Date(nextStepAtMs).toISOString()}.`;
  return (
    `${String(enrolled)} contacts enrolled, ${String(active)} journeys open. ` +
    `${String(queued)} messages queued so far${figures === '' ? '' : `, of which ${figures}`}; ` +
    `${String(left)} skipped${reasons === '' ? '' : ` (${reasons})`}. ` +
    step +
    (halted.length > 0 ? ` The provider of ${halted.join(', ')} takes no messages now.` : '') +
    ` Read at ${new Date().toISOString()}; the signal templateChanged reads it now.`
  );
}

function describeNext({ action, atMs }: NonNullable<TemplateOutlook['next']>): string {
  const verb = action === 'launch' ? 'launches' : 'expires';
  return `${verb} at ${new Date(atMs).toISOString()}`;
}

function describeEnd({ status }: TemplateOutlook, { ended, released }: MovedJourneys): string {
  const moved =
    ended + released > 0
      ? ` ${String(ended)} journeys were ended and ${String(released)} went on.`
      : '';
  return status === 'deleted'
    ? `The template was deleted.${moved}`
    : `The template is ${status}: no launch and no expiry is scheduled.${moved}`;
}

function describeJourneys(
  { members, seen, enrolled, isDone }: JourneyOutlook,
  { ended, released }: MovedJourneys,
): string {
  const scanned =
    members > 0 || seen > 0
      ? `Of ${String(members)} members of its cohorts ${String(seen)} were looked at, and ` +
        `${String(enrolled)} enrolled. `
      : '';
  const moved = `${String(ended)} journeys were ended and ${String(released)} go on. `;
  return scanned + moved + (isDone ? 'All of its journeys follow it.' : 'There are more to come.');
}
