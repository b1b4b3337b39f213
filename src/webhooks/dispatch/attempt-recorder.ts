import { isolateApart } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import type { Database } from '../../platform/database/client.ts';
import { transactInOneTrip } from '../../platform/database/one-trip.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { parseRetryAfter } from '../../platform/egress/retry-after.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Log } from '../../platform/observability/log.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { earliest, latest } from './failure-counters.ts';
import type { FailureCounters } from './failure-counters.ts';
import { failUnstored, recordOutcomes } from './outcomes/queries.ts';
import type { Fence, AttemptOutcome } from './outcomes/queries.ts';
import { lockState } from './queries.ts';
import { findTargetUrl } from '../webhook-subscriptions/queries.ts';
import type { Attempted } from './webhook-sender.ts';

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

interface Tools {
  database: Database;
  counters: FailureCounters;
  log: Log;
}

/** Stores attempts, and the state of their subscriptions after them. */
export function createAttemptRecorder(database: Database, counters: FailureCounters, log: Log) {
  const tools = { database, counters, log };
  return {
    /**
     * Stores attempts: successful ones together, failed ones by subscription, since those change
     * its state. Returns false if another worker holds the fence: nothing was written, and the
     * caller must stop.
     */
    record: (attempts: readonly Attempted[], fence: Fence) => record(tools, attempts, fence),
  };
}

async function record(tools: Tools, attempts: readonly Attempted[], fence: Fence) {
  const isGood = ({ outcome }: Attempted) => outcome.status === 'delivered';
  /** Successful attempts by subscription that no window counts, since nothing had failed. */
  const uncounted = new Map<string, number>();
  const byDay = groupBy(attempts.filter(isGood), ({ delivery }) => delivery.day);
  for (const group of byDay.values()) {
    const held = await apart(tools, group, (some) =>
      recordDelivered(tools, some, fence, uncounted),
    );
    if (!held) return false;
  }
  const bySubscription = groupBy(
    attempts.filter((one) => !isGood(one)),
    ({ delivery }) => `${delivery.subscription_id} ${delivery.day}`,
  );
  for (const group of bySubscription.values()) {
    const held = await apart(tools, group, (some) =>
      tools.database.transact((sql) => recordFailed(tools, sql, some, fence, uncounted)),
    );
    if (!held) return false;
  }
  return true;
}

/** A delivery whose outcome cannot be stored fails; it may have reached its receiver. */
const deliveries: RowLoop<Attempted> = {
  name: 'webhook-outcomes',
  isFinalAtOnce: true,
  keyOf: ({ delivery: { team_id, id } }) => ({ team_id, id }),
  fail: (sql, { delivery }) => failUnstored(sql, delivery),
};

/** Does the work for the group, or for each alone where one cannot be stored; false if refused. */
async function apart(
  tools: Tools,
  group: readonly Attempted[],
  work: (some: readonly Attempted[]) => Promise<boolean>,
): Promise<boolean> {
  return !(await isolateApart(tools, deliveries, group, work)).includes(false);
}

async function recordDelivered(
  { database, counters }: Tools,
  group: readonly Attempted[],
  fence: Fence,
  uncounted: Map<string, number>,
) {
  const day = group[0]?.delivery.day ?? '';
  const outcomes = outcomesOf(group);
  const subscriptions = new Map(group.map(({ delivery }) => [delivery.subscription_id, delivery]));
  // Most often none was failing, and the commit travels with the statement.
  let recorded = await transactInOneTrip(database, (sql) =>
    recordOutcomes(sql, fence, day, outcomes, [...subscriptions.values()]),
  );
  if (recorded === 'failing') {
    recorded = await database.transact((sql) =>
      recordAndReset(counters, sql, fence, day, outcomes),
    );
  }
  if (typeof recorded === 'string') return false;
  for (const { subscription_id: id, trigger, ids, was_failing } of recorded) {
    if (was_failing || trigger === 'test') continue;
    uncounted.set(id, (uncounted.get(id) ?? 0) + ids.length);
  }
  return true;
}

async function recordAndReset(
  counters: FailureCounters,
  sql: Sql,
  fence: Fence,
  day: string,
  outcomes: readonly AttemptOutcome[],
) {
  const recorded = await recordOutcomes(sql, fence, day, outcomes);
  if (typeof recorded === 'string') return recorded;
  for (const { team_id, subscription_id, trigger, ids, was_failing } of recorded) {
    if (!was_failing || trigger === 'test') continue;
    const url = await findTargetUrl(sql, team_id, subscription_id);
    const open = new Set(ids);
    const ofNow = outcomes.filter((one) => open.has(one.id) && one.url === url);
    if (ofNow.length > 0) await counters.reset(sql, team_id, subscription_id, ofNow.length);
  }
  return recorded;
}

async function recordFailed(
  { counters }: Tools,
  sql: Sql,
  group: readonly Attempted[],
  fence: Fence,
  uncounted: ReadonlyMap<string, number>,
) {
  const [first] = group;
  if (!first) return true;
  const { team_id: teamId, subscription_id: subscriptionId, day } = first.delivery;
  const state = await lockState(sql, teamId, subscriptionId);
  if (!state) return false;
  const url = await findTargetUrl(sql, teamId, subscriptionId);
  const isOfNow = (outcome: AttemptOutcome) => outcome.trigger === 'test' || outcome.url === url;
  // An answer of an earlier address says nothing of the present one, which gets the delivery now.
  const outcomes = outcomesOf(group).map((one) => (isOfNow(one) ? one : again(one)));
  const recorded = await recordOutcomes(sql, fence, day, outcomes);
  if (typeof recorded === 'string') return false;
  const open = new Set(recorded.flatMap(({ ids }) => ids));
  if (outcomes.some((one) => open.has(one.id) && !isOfNow(one))) {
    await counters.resume(sql, teamId, subscriptionId);
  }
  const counted = outcomes.filter(
    (one) => open.has(one.id) && one.trigger !== 'test' && isOfNow(one),
  );
  const [last] = counted.slice(-1);
  if (!last) return true;
  const renewed = new Set(recorded.flatMap(({ renewed_ids }) => renewed_ids));
  const failed = counted.filter(({ id, status }) => status === 'failed' && !renewed.has(id));
  await counters.count(sql, teamId, subscriptionId, {
    permanent: failed.length,
    attempts: counted.length,
    tries: counted.length + (uncounted.get(subscriptionId) ?? 0),
    isGone: counted.some(({ error_code }) => error_code === 'gone'),
    isProbe: counted.some(({ trigger }) => trigger === 'probe'),
    notBefore: latest(counted.map((one) => retryAfterOf(one))),
    lastError: describe(last),
    nextAttemptAt: earliest(counted.map(({ next_attempt_at }) => next_attempt_at)),
  });
  return true;
}

/** The delivery waits for another attempt, as if this one had not been made. */
function again(outcome: AttemptOutcome): AttemptOutcome {
  const { requested_at } = outcome;
  return { ...outcome, status: 'retrying', uses_step: false, next_attempt_at: requested_at };
}

/** When the receiver wants the next request; null where it did not say. */
function retryAfterOf({
  response_headers,
  requested_at,
  duration_ms,
}: AttemptOutcome): string | null {
  const respondedAtMs = Date.parse(requested_at) + duration_ms;
  const waitMs = parseRetryAfter(response_headers?.['retry-after'], respondedAtMs);
  return waitMs > 0 ? toTimestamp(respondedAtMs + waitMs) : null;
}

function outcomesOf(group: readonly Attempted[]): AttemptOutcome[] {
  return group.map(({ outcome }) => outcome);
}

function describe({ http_status, error_code }: AttemptOutcome): string {
  return http_status === null ? (error_code ?? 'unknown') : `HTTP ${String(http_status)}`;
}
