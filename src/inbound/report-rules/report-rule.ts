import type { EngagementKind } from '../../engagement/engagement-events/engagement-event.ts';

/** Why an address gets on the list of suppressions; soft bounces do so when they come thrice. */
export type SuppressionReason = 'hard_bounce' | 'soft_bounces' | 'complaint';

/** Effects of a report on the message and on the address of its recipient. */
export interface Outcome {
  /** Undefined: the report changes nothing. */
  kind: EngagementKind | undefined;
  bounceClass?: 'hard' | 'soft';
  suppression?: SuppressionReason;
  consent?: 'unsubscribed';
  /** The report may be an answer to a message that was delivered: `delivered` then stays. */
  keepsDelivered?: true;
}

/** Meanings of the reports of all providers, by the name that the tables of the docs show. */
export const outcomes = {
  queued: { kind: 'message.queued' },
  sent: { kind: 'message.sent' },
  delayed: { kind: 'message.delayed' },
  delivered: { kind: 'message.delivered' },
  opened: { kind: 'message.opened' },
  clicked: { kind: 'message.clicked' },
  failed: { kind: 'message.failed' },
  'address gone': { kind: 'message.bounced', bounceClass: 'hard', suppression: 'hard_bounce' },
  'mailbox trouble': { kind: 'message.bounced', bounceClass: 'soft', suppression: 'soft_bounces' },
  refused: { kind: 'message.bounced', bounceClass: 'soft' },
  'given up': { kind: 'message.bounced', bounceClass: 'soft' },
  'unclear bounce': { kind: 'message.bounced', bounceClass: 'soft', keepsDelivered: true },
  'automatic reply': { kind: undefined },
  complaint: { kind: 'message.complained', suppression: 'complaint' },
  'no complaint': { kind: undefined },
  unsubscribe: { kind: 'message.unsubscribed', consent: 'unsubscribed' },
  'not sent: bounced before': { kind: 'message.failed', suppression: 'hard_bounce' },
  'not sent: complained before': { kind: 'message.failed', suppression: 'complaint' },
  'not sent: unsubscribed before': { kind: 'message.failed', consent: 'unsubscribed' },
  'no effect': { kind: undefined },
} as const satisfies Record<string, Outcome>;
export type OutcomeName = keyof typeof outcomes;

/** One row of a provider's table. */
export interface ReportRule<Field extends string = string> {
  /**
   * Values of the fields of a report, without regard to case; one of each list must match. A value
   * that ends with `*` matches by its beginning. A field that is left out may have any value.
   */
  when: Readonly<Partial<Record<Field, readonly string[]>>>;
  outcome: OutcomeName;
  /** Address of the documentation that the row follows. */
  source: string;
}

export type Facts<Field extends string> = Readonly<Record<Field, string | undefined>>;

/** The outcome of a report: that of the first row that matches. */
export function outcomeOf<Field extends string>(
  rules: readonly ReportRule<Field>[],
  facts: Facts<Field>,
): Outcome {
  const rule = rules.find(({ when }) =>
    Object.entries<readonly string[] | undefined>(when).every(([field, values]) => {
      const fact = Object.entries<string | undefined>(facts).find(([name]) => name === field)?.[1];
      return fact !== undefined && values?.some((value) => matches(value, fact));
    }),
  );
  return outcomes[rule?.outcome ?? 'no effect'];
}

function matches(value: string, fact: string): boolean {
  const [pattern, found] = [value.toLowerCase(), fact.toLowerCase()];
  return pattern.endsWith('*') ? found.startsWith(pattern.slice(0, -1)) : found === pattern;
}
