import type { Sql } from '../../platform/database/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { SkipReason } from '../../messaging/message-deliveries/rules.ts';
import { grantSlots, slotsMs } from '../timing/rate-slots.ts';
import { reserveSlots } from './queries.ts';
import type { JourneyContext } from './queries.ts';
import type { Waiting } from './rules.ts';
import type { Step } from './steps.ts';

/** Granted so soon, a step goes at once. */
const soonMs = 1_000;
/** Part of a template's pace that is lost if a deciding transaction is rolled back. */
const maxLostMs = 5_000;

/** Runs a statement that commits independently of the transaction. */
export type AtOnce = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Decision about a step: it is skipped, waits longer, or is sent. */
export type StepDecision = { step: Step } & (
  { kind: 'skip'; reason: SkipReason } | { kind: 'wait'; until: Waiting } | { kind: 'go' }
);

/**
 * Defers steps that exceed the send rate of their template to the reserved time. Reservations
 * commit in their own transaction, so that lanes do not wait for each other. A large one is made in
 * this transaction, because a rollback would waste it.
 */
export async function applyRateLimit(
  { sql, atOnce }: { sql: Sql; atOnce: AtOnce },
  decisions: StepDecision[],
  contexts: ReadonlyMap<string, JourneyContext>,
  nowMs: number,
): Promise<void> {
  const places = groupBy(decisions.keys(), (at) => {
    const { kind, step } = decisions[at] ?? {};
    if (kind !== 'go' || step?.waiting.is_granted) return undefined;
    const template = contexts.get(step?.journey.template_id ?? '');
    return template?.send_rate_per_minute == null ? undefined : template;
  });
  const paced = [...places].flatMap(([template, steps]) => {
    const perMinute = template?.send_rate_per_minute ?? 1;
    const tookMs = slotsMs(steps.length, perMinute);
    return template ? [{ template, steps, perMinute, tookMs, isHeld: tookMs > maxLostMs }] : [];
  });
  // Independent reservations come first, so that none waits while this transaction holds a lock.
  // The others are made in one order, so that lanes cannot deadlock.
  paced.sort(
    (one, other) =>
      Number(one.isHeld) - Number(other.isHeld) ||
      (one.template.template_id < other.template.template_id ? -1 : 1),
  );
  for (const { template, steps, perMinute, tookMs, isHeld } of paced) {
    const take = (on: Sql) => reserveSlots(on, template, tookMs, nowMs);
    const firstMs = isHeld ? await take(sql) : await atOnce(take);
    const granted = grantSlots(steps.length, perMinute, firstMs);
    for (const [order, at] of steps.entries()) {
      const grantedMs = granted[order] ?? nowMs;
      const decision = decisions[at];
      if (!decision || grantedMs <= nowMs + soonMs) continue;
      const { quiet_since } = decision.step.waiting;
      const due_at = toTimestamp(grantedMs);
      const until = { due_at, is_granted: true, ...(quiet_since && { quiet_since }) };
      decisions[at] = { step: decision.step, kind: 'wait', until };
    }
  }
}
