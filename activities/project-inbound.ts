import { forEachAlone } from '../src/platform/batching/isolate.ts';
import type { RowLoop } from '../src/platform/batching/isolate.ts';
import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import { HttpError } from '../src/platform/http/errors.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { endUnlessSignaled, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import type { Round } from '../src/platform/jobs/shape.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';
import { confirmTopic } from '../src/inbound/confirmation/confirm.ts';
import {
  listDue,
  listOverdueReceivers,
  findBacklog,
  writeGivenUp,
} from '../src/inbound/projection/queries.ts';
import type { DueCallback } from '../src/inbound/projection/queries.ts';
import { projectStored } from '../src/inbound/project.ts';
import { inboundJob } from '../workflows/jobs.ts';

interface Tools {
  database: Database;
  keyring: Keyring;
  egress: Egress;
  log: Log;
  publicBaseUrl: string;
  retryScheduleMs: readonly number[];
}

/** Callbacks, counted over all runs of the chain. */
interface Counts {
  applied: number;
  /** Those whose last attempt failed. */
  givenUp: number;
}

const batchSize = 200;
const overdueMs = 8_000;

/** A callback that cannot be applied is given up; the others of its receiver are applied. */
const callbacksOf = (teamId: string): RowLoop<DueCallback> => ({
  name: 'inbound-callbacks',
  keyOf: ({ id }) => ({ team_id: teamId, id }),
  fail: (sql, { id }) => writeGivenUp(sql, teamId, id),
});

export function projectInbound(tools: Tools): Job<Counts> {
  const { database, keyring, log, retryScheduleMs } = tools;

  async function applyOne(
    teamId: string,
    { id, status, attempts }: DueCallback,
  ): Promise<'applied' | 'waiting' | 'given_up'> {
    if (status === 'pending_confirmation') return confirmTopic(tools, teamId, id);
    try {
      const outcome = await database.transact((sql) =>
        projectStored(sql, keyring, teamId, id, retryScheduleMs),
      );
      if (outcome.status !== 'failed') return 'applied';
      return retryScheduleMs[attempts] === undefined ? 'given_up' : 'waiting';
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // Deleted or erased meanwhile: there is nothing to try again.
      log.warn({ err: error, delivery_id: id }, 'a callback cannot be retried');
      await database.transact((sql) => writeGivenUp(sql, teamId, id));
      return 'given_up';
    }
  }

  return {
    shape: inboundJob,
    overdue: [
      async (from, most) => {
        const rows = await from.read((sql) => listOverdueReceivers(sql, overdueMs, most));
        return rows.map(({ receiver_id, team_id }) => ({ id: receiver_id, team_id }));
      },
    ],
    /** Applies what is due, each callback in a transaction of its own. */
    async round({ teamId, id, asOfMs, state = { applied: 0, givenUp: 0 } }) {
      const asOf = toTimestamp(asOfMs);
      const due = await database.read((sql) => listDue(sql, teamId, id, asOf, batchSize));
      const made = { applied: 0, waiting: 0, given_up: 0 };
      await forEachAlone(tools, callbacksOf(teamId), due, async (delivery) => {
        made[await applyOne(teamId, delivery)] += 1;
      });
      const counts = {
        applied: state.applied + made.applied,
        givenUp: state.givenUp + made.given_up,
      };
      return afterCallbacks(await database.read((sql) => findBacklog(sql, teamId, id)), counts);
    },
  };
}

/** `given_up`: some callbacks stay failed; they can be replayed. `ended`: none was due. */
function outcomeOf({ applied, givenUp }: Counts): 'applied' | 'given_up' | 'ended' {
  if (givenUp > 0) return 'given_up';
  return applied > 0 ? 'applied' : 'ended';
}

export function afterCallbacks(
  found: { waiting: number; next_at: string | null; last_error: string | null },
  counts: Counts,
): Round<Counts> {
  const { applied, givenUp } = counts;
  const soFar =
    (applied > 0 ? ` ${String(applied)} applied so far.` : '') +
    (givenUp > 0 ? ` ${String(givenUp)} given up: replay them once the cause is corrected.` : '');
  if (found.next_at === null) {
    const result = { outcome: outcomeOf(counts), ...counts };
    const shown = { waiting: 0 };
    return endUnlessSignaled(result, `Nothing waits.${soFar}`, { shown, state: counts });
  }
  const dueAt = Date.parse(found.next_at);
  const next = `Next attempt at ${toTimestamp(dueAt)}`;
  const details =
    `${String(found.waiting)} callbacks wait. Last error: ${found.last_error ?? 'none'}. ` +
    `${next}.${soFar}`;
  const shown = { waiting: found.waiting, dueAt };
  return waitUntil(dueAt, next, details, { shown, state: counts });
}
