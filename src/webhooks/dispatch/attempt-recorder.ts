import type { Database } from '../../platform/database/client.ts';
import { transactInOneTrip } from '../../platform/database/one-trip.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { earliest } from './failure-counters.ts';
import type { FailureCounters } from './failure-counters.ts';
import { lockState, settle } from './queries.ts';
import type { Fence, Settlement } from './queries.ts';
import type { Attempted } from './webhook-sender.ts';

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

/** Stores attempts, and the state of their subscriptions after them. */
export function createAttemptRecorder(database: Database, counters: FailureCounters) {
  /**
   * Stores attempts: successful ones together, failed ones by subscription, since those change its
   * state. Returns false if another worker holds the fence: nothing was written, and the caller
   * must stop.
   */
  async function record(attempts: readonly Attempted[], fence: Fence): Promise<boolean> {
    const isGood = ({ settlement }: Attempted) => settlement.status === 'delivered';
    /** Successful attempts by subscription that no window counts, since nothing had failed. */
    const uncounted = new Map<string, number>();
    const byDay = groupBy(attempts.filter(isGood), ({ delivery }) => delivery.day);
    for (const group of byDay.values()) {
      if (!(await recordDelivered(group, fence, uncounted))) return false;
    }
    const bySubscription = groupBy(
      attempts.filter((one) => !isGood(one)),
      ({ delivery }) => `${delivery.subscription_id} ${delivery.day}`,
    );
    for (const group of bySubscription.values()) {
      const held = await database.transact((sql) => recordFailed(sql, group, fence, uncounted));
      if (!held) return false;
    }
    return true;
  }

  async function recordDelivered(
    group: readonly Attempted[],
    fence: Fence,
    uncounted: Map<string, number>,
  ) {
    const day = group[0]?.delivery.day ?? '';
    const settlements = settlementsOf(group);
    const subscriptions = new Map(
      group.map(({ delivery }) => [delivery.subscription_id, delivery]),
    );
    // Most often none was failing, and the commit travels with the statement.
    let settled = await transactInOneTrip(database, (sql) =>
      settle(sql, fence, day, settlements, [...subscriptions.values()]),
    );
    if (settled === 'failing') {
      settled = await database.transact((sql) => settleAndReset(sql, fence, day, settlements));
    }
    if (typeof settled === 'string') return false;
    for (const { subscription_id: id, trigger, ids, was_failing } of settled) {
      if (was_failing || trigger === 'test') continue;
      uncounted.set(id, (uncounted.get(id) ?? 0) + ids.length);
    }
    return true;
  }

  async function settleAndReset(
    sql: Sql,
    fence: Fence,
    day: string,
    settlements: readonly Settlement[],
  ) {
    const settled = await settle(sql, fence, day, settlements);
    if (typeof settled === 'string') return settled;
    for (const { team_id, subscription_id, trigger, ids, was_failing } of settled) {
      if (!was_failing || trigger === 'test') continue;
      await counters.reset(sql, team_id, subscription_id, ids.length);
    }
    return settled;
  }

  async function recordFailed(
    sql: Sql,
    group: readonly Attempted[],
    fence: Fence,
    uncounted: ReadonlyMap<string, number>,
  ) {
    const [first] = group;
    if (!first) return true;
    const { team_id: teamId, subscription_id: subscriptionId, day } = first.delivery;
    const state = await lockState(sql, teamId, subscriptionId);
    const settled = state && (await settle(sql, fence, day, settlementsOf(group)));
    if (!settled || typeof settled === 'string') return false;
    const open = new Set(settled.flatMap(({ ids }) => ids));
    const counted = group
      .map(({ settlement }) => settlement)
      .filter((settlement) => open.has(settlement.id) && settlement.trigger !== 'test');
    const [last] = counted.slice(-1);
    if (!last) return true;
    const renewed = new Set(settled.flatMap(({ renewed_ids }) => renewed_ids));
    const failed = counted.filter(({ id, status }) => status === 'failed' && !renewed.has(id));
    await counters.count(sql, teamId, subscriptionId, {
      permanent: failed.length,
      attempts: counted.length,
      tries: counted.length + (uncounted.get(subscriptionId) ?? 0),
      isGone: counted.some(({ error_code }) => error_code === 'gone'),
      isProbe: counted.some(({ trigger }) => trigger === 'probe'),
      lastError: describe(last),
      nextAttemptAt: earliest(counted.map(({ next_attempt_at }) => next_attempt_at)),
    });
    return true;
  }

  return { record };
}

function settlementsOf(group: readonly Attempted[]): Settlement[] {
  return group.map(({ settlement }) => settlement);
}

function describe({ http_status, error_code }: Settlement): string {
  return http_status === null ? (error_code ?? 'unknown') : `HTTP ${String(http_status)}`;
}
