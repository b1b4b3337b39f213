import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { DomainOutlook, createDomainActivities } from '../activities/verify-sending-domain.ts';
import { searchAttributes } from '../src/platform/temporal/search-attributes.ts';
import { explainCancellation } from './cancellation.ts';
import { endWith, setSearchAttributes } from './search-attributes.ts';
import { createSignalLatch } from './signal-latch.ts';

const { checkSendingDomain } = proxyActivities<ReturnType<typeof createDomainActivities>>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Look up the DNS records if that is due',
});

/** Wake-up signal: the domain was added or deleted, or a check was requested. */
export const sendingDomainChanged = defineSignal('sendingDomainChanged');

export function sendingDomainWorkflowId(domainId: string): string {
  return `sending-domain/${domainId}`;
}

export interface VerifySendingDomainArguments {
  v: 1;
  teamId: string;
  domainId: string;
}

/**
 * Verifies a sending domain by its DNS records, and checks them again for as long as it exists: a
 * domain whose ownership record disappears fails, and is verified again once the record is back.
 */
export async function verifySendingDomain(
  args: VerifySendingDomainArguments,
): Promise<{ outcome: 'deleted' }> {
  const { teamId, domainId } = args;
  explainCancellation('To end the checks, delete the sending domain in the API.');
  const signal = createSignalLatch(sendingDomainChanged);
  for (;;) {
    signal.clear();
    const outlook = await checkSendingDomain({ teamId, domainId });
    if (!outlook) {
      setCurrentDetails('The sending domain was deleted: its records are not looked up any more.');
      return endWith({ outcome: 'deleted' });
    }
    setCurrentDetails(describe(outlook));
    const { nextCheckAtMs } = outlook;
    setSearchAttributes([{ key: searchAttributes.dueAt, value: new Date(nextCheckAtMs) }]);
    const summary = `Records looked up at ${new Date(nextCheckAtMs).toISOString()}`;
    await signal.wait(Math.max(nextCheckAtMs - Date.now(), 1), summary);
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof verifySendingDomain>(args);
    }
  }
}

function describe({ domain, status, records, nextCheckAtMs }: DomainOutlook): string {
  const found = Object.entries(records).map(([purpose, seen]) => `${purpose} ${seen}`);
  return (
    `The sending domain ${domain} is ${status}. Its DNS records: ${found.join(', ')}. ` +
    `They are looked up again at ${new Date(nextCheckAtMs).toISOString()}.`
  );
}
