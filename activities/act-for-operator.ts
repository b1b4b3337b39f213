import type { Database } from '../src/platform/database/client.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { insertAuditEvent } from '../src/platform/http/audit.ts';
import { traceOfRun } from '../src/platform/http/trace.ts';
import { setReplayRate } from '../src/platform/replays/queries.ts';
import type { ReplayTable } from '../src/platform/replays/queries.ts';
import { inboundReplays } from '../src/inbound/replays/queries.ts';
import { lockRun } from '../src/operations/runs/queries.ts';
import type { StoredRun } from '../src/operations/runs/queries.ts';
import { maxLeftOut } from '../src/operations/runs/rules.ts';
import { leaveOut, lockOpenRun } from '../src/operations/runs/running/queries.ts';
import { lockState } from '../src/webhooks/dispatch/queries.ts';
import { retryNow, setPause } from '../src/webhooks/recovery/queries.ts';
import { webhookReplays } from '../src/webhooks/webhook-subscriptions/replays/queries.ts';

/** A request of an operator about the row of a workflow. */
interface Asked {
  teamId: string;
  id: string;
  operator: string;
}

/**
 * A sentence about what was done, or why nothing was: an exception would lose its text on the way
 * to Temporal.
 */
export type Answer = { done: string } | { refusal: string };

const tables = { inbound_replay: inboundReplays, webhook_replay: webhookReplays };

/** Changes that operators make by Updates of a workflow, each with its audit event. */
export function createOperatorActivities({ database }: { database: Database }) {
  return {
    retryWebhooksNow: (asked: Asked): Promise<Answer> =>
      database.transact(async (sql) => {
        if (!(await lockState(sql, asked.teamId, asked.id))) return deleted;
        await retryNow(sql, asked.teamId, asked.id);
        await record(sql, 'webhook_subscription.retried', asked);
        return { done: 'All waiting deliveries are due now.' };
      }),

    pauseWebhooks: ({ seconds, ...asked }: Asked & { seconds: number }): Promise<Answer> =>
      database.transact(async (sql) => {
        if (!(await lockState(sql, asked.teamId, asked.id))) return deleted;
        const until = await setPause(sql, asked.teamId, asked.id, seconds);
        await record(sql, 'webhook_subscription.paused', asked);
        return { done: `Deliveries are paused until ${String(until)}.` };
      }),

    resumeWebhooks: (asked: Asked): Promise<Answer> =>
      database.transact(async (sql) => {
        if (!(await lockState(sql, asked.teamId, asked.id))) return deleted;
        await setPause(sql, asked.teamId, asked.id, null);
        await record(sql, 'webhook_subscription.resumed', asked);
        return { done: 'Deliveries go on.' };
      }),

    setReplayRate: ({
      kind,
      ratePerSecond,
      ...asked
    }: Asked & { kind: ReplayTable['type']; ratePerSecond: number }): Promise<Answer> =>
      database.transact(async (sql) => {
        const { teamId, id } = asked;
        const isOpen = await setReplayRate(sql, tables[kind], teamId, id, ratePerSecond);
        if (!isOpen) return { refusal: 'The replay has ended.' };
        await record(sql, `${kind}.updated`, asked, ['rate_per_second']);
        return { done: `The rate is ${String(ratePerSecond)} a second.` };
      }),

    /** Leaves an item of a run out that is not yet applied. */
    skipRunItem: ({ index, ...asked }: Asked & { index: number }): Promise<Answer> =>
      database.transact(async (sql) => {
        const run = await lockOpenRun(sql, asked.teamId, asked.id);
        const refusal = refusalToSkip(run, index);
        if (!run || refusal !== undefined) return { refusal: refusal ?? ended };
        await leaveOut(sql, run, index);
        const { type } = await lockRun(sql, asked.teamId, run.surface, asked.id);
        await record(sql, `${type}.item_skipped`, asked);
        return { done: `Item ${String(index)} is left out.` };
      }),
  };
}

const deleted: Answer = { refusal: 'The subscription is deleted.' };
const ended = 'The run has ended.';

function refusalToSkip(run: StoredRun | undefined, index: number): string | undefined {
  if (!run) return ended;
  const { failure_mode, next_index: next, total_count: total, left_out_indexes: leftOut } = run;
  if (failure_mode === 'transactional') {
    return 'The run applies all of its items or none: cancel it instead.';
  }
  if (index < next || index >= (total ?? Infinity)) {
    const last = total === null ? 'the last one' : String(total - 1);
    return `Items that can be skipped: ${String(next)} to ${last}.`;
  }
  return leftOut.length < maxLeftOut
    ? undefined
    : `${String(maxLeftOut)} items of a run can be skipped: cancel it instead.`;
}

async function record(
  sql: Sql,
  action: string,
  { teamId, id, operator }: Asked,
  changedFields: readonly string[] = [],
): Promise<void> {
  await insertAuditEvent(sql, {
    teamId,
    action,
    resourceId: id,
    changedFields,
    clientId: null,
    actor: `${operator}@temporal`,
    trace: traceOfRun(id),
  });
}
