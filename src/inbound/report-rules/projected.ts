import type { Projection, ReportedRecipient } from '../receiver.ts';
import type { Outcome } from './report-rule.ts';

/** Parts of a projection that follow from the outcome of a report. */

export function bounceOf(
  { bounceClass, keepsDelivered }: Outcome,
  { code, diagnostic }: { code?: string | undefined; diagnostic?: string | undefined },
): Pick<Projection, 'bounce' | 'keepsDelivered'> {
  if (bounceClass === undefined) return {};
  return {
    bounce: {
      class: bounceClass,
      ...(code !== undefined && { code }),
      ...(diagnostic !== undefined && { diagnostic }),
    },
    ...(keepsDelivered && { keepsDelivered }),
  };
}

export function reportedOf(
  { suppression, consent }: Outcome,
  address: string | undefined,
): ReportedRecipient {
  return { address, ...(suppression && { suppression }), ...(consent && { consent }) };
}

export const recipientOf = (recipient: string | undefined) => ({
  ...(recipient !== undefined && { recipient }),
});
