import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { TemplateOutlook, createTemplateActivities } from '../activities/run-template.ts';
import { searchAttributes } from '../src/temporal/search-attributes.ts';
import { hearNudges } from './nudges.ts';
import { showSearchAttributes } from './show.ts';

const { advanceTemplate } = proxyActivities<ReturnType<typeof createTemplateActivities>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
  summary: 'Apply what is due to the template, and read what comes next',
});

/** Longest single timer; a deadline may lie thousands of years ahead. */
const longestWaitMs = 365 * 86_400_000;

/** Nudge: what lies ahead of the template has changed. */
export const templateChanged = defineSignal('templateChanged');

export function templateWorkflowId(templateId: string): string {
  return `template/${templateId}`;
}

export interface RunTemplateArguments {
  v: 1;
  teamId: string;
  templateId: string;
}

/**
 * Launches and expires a template on time. It lives only while something lies ahead; the row
 * decides what is done, this only reminds. Ends when nothing is due any more.
 */
export async function runTemplate(args: RunTemplateArguments): Promise<void> {
  const { teamId, templateId } = args;
  const nudges = hearNudges(templateChanged);
  let dueAtMs: number | undefined;
  for (;;) {
    nudges.forget();
    const outlook: TemplateOutlook = await advanceTemplate({
      teamId,
      templateId,
      asOfMs: Date.now(),
    });
    setCurrentDetails(describe(outlook));
    // Whoever changed the row while it was being read is not told again.
    if (nudges.came()) continue;
    if (!outlook.next) return;
    if (outlook.next.atMs !== dueAtMs) {
      dueAtMs = outlook.next.atMs;
      showSearchAttributes([{ key: searchAttributes.dueAt, value: new Date(dueAtMs) }]);
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof runTemplate>(args);
    const waitMs = Math.min(Math.max(dueAtMs - Date.now(), 1), longestWaitMs);
    await nudges.wait(waitMs);
  }
}

function describe({ status, next }: TemplateOutlook): string {
  if (!next) return `The template is ${status}; nothing lies ahead of it by the clock.`;
  const verb = next.action === 'launch' ? 'It launches' : 'It expires';
  const at = new Date(next.atMs).toISOString();
  return `The template is ${status}. ${verb} at ${at}, unless a client changes that before.`;
}
