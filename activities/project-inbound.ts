import { forEachAlone } from '../src/platform/batching/isolate.ts';
import type { RowLoop } from '../src/platform/batching/isolate.ts';
import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import { HttpError } from '../src/platform/http/errors.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';
import { confirmTopic } from '../src/inbound/confirmation/confirm.ts';
import { listDue, surveyDue, writeGivenUp } from '../src/inbound/projection/queries.ts';
import type { DueCallback } from '../src/inbound/projection/queries.ts';
import { projectStored } from '../src/inbound/project.ts';

/** Waiting callbacks of a receiver, and the result of the round. */
export interface InboundOutlook {
  applied: number;
  /** Callbacks whose last attempt failed. */
  givenUp: number;
  waiting: number;
  nextAtMs?: number;
  lastError?: string;
}

export interface InboundDependencies {
  database: Database;
  keyring: Keyring;
  egress: Egress;
  log: Log;
  publicBaseUrl: string;
  retryScheduleMs: readonly number[];
}

const batchSize = 200;

/** A callback that cannot be applied is given up; the others of its receiver are applied. */
const callbacksOf = (teamId: string): RowLoop<DueCallback> => ({
  name: 'inbound-callbacks',
  keyOf: ({ id }) => ({ team_id: teamId, id }),
  fail: (sql, { id }) => writeGivenUp(sql, teamId, id),
});

export function createInboundActivities(dependencies: InboundDependencies) {
  const { database, keyring, log, retryScheduleMs } = dependencies;

  async function applyOne(
    teamId: string,
    { id, status, attempts }: DueCallback,
  ): Promise<'applied' | 'waiting' | 'given_up'> {
    if (status === 'pending_confirmation') return confirmTopic(dependencies, teamId, id);
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
    /** Applies what is due at `asOfMs`, each in a transaction of its own. */
    async applyDueCallbacks({
      teamId,
      receiverId,
      asOfMs,
    }: {
      teamId: string;
      receiverId: string;
      asOfMs: number;
    }): Promise<InboundOutlook> {
      const asOf = toTimestamp(asOfMs);
      const due = await database.read((sql) => listDue(sql, teamId, receiverId, asOf, batchSize));
      const counts = { applied: 0, waiting: 0, given_up: 0 };
      await withHeartbeat(async () => {
        await forEachAlone(dependencies, callbacksOf(teamId), due, async (delivery) => {
          counts[await applyOne(teamId, delivery)] += 1;
        });
      });
      const survey = await database.read((sql) => surveyDue(sql, teamId, receiverId));
      return {
        applied: counts.applied,
        givenUp: counts.given_up,
        waiting: survey.waiting,
        ...(survey.next_at !== null && { nextAtMs: Date.parse(survey.next_at) }),
        ...(survey.last_error !== null && { lastError: survey.last_error }),
      };
    },
  };
}
