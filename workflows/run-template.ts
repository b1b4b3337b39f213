import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { JourneyOutlook, createJourneyActivities } from '../activities/move-journeys.ts';
import type { TemplateOutlook, createTemplateActivities } from '../activities/run-template.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
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
  /** The status of the template: nothing is due or upcoming. */
  outcome: TemplateOutlook['status'];
}

/**
 * Launches and expires a template on time, and moves its journeys after a change of the template.
 * It ends when nothing is due or upcoming.
 */
export async function runTemplate(args: RunTemplateArguments): Promise<TemplateResult> {
  const { teamId, templateId, before = { ended: 0, released: 0 } } = args;
  explainCancellation('To stop a launch, unschedule the template in the API.');
  const signal = createSignalLatch(templateChanged);
  let dueAtMs: number | undefined;
  let moved = before;
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
      } else if (outlook.next) {
        const { atMs } = outlook.next;
        if (atMs !== dueAtMs) {
          setSearchAttributes([{ key: searchAttributes.dueAt, value: new Date(atMs) }]);
        }
        dueAtMs = atMs;
        const waitMs = Math.min(Math.max(atMs - Date.now(), 1), maxWaitMs);
        await signal.wait(waitMs, describeNext(outlook.next));
      } else {
        return endWith({ outcome: outlook.status, ...moved });
      }
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof runTemplate>({ ...args, before: moved });
    }
  }
}

function describe({ status, next }: TemplateOutlook): string {
  if (!next) return `The template is ${status}; nothing lies ahead of it by the clock.`;
  return `The template is ${status}. It ${describeNext(next)}, unless a client changes that before.`;
}

function describeNext({ action, atMs }: NonNullable<TemplateOutlook['next']>): string {
  const verb = action === 'launch' ? 'launches' : 'expires';
  return `${verb} at ${new Date(atMs).toISOString()}`;
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
