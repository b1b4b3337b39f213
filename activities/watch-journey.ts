import { createHash } from 'node:crypto';
import type { Database } from '../src/platform/database/client.ts';
import { end, listCounts, untouchedFor, waitUntil } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import { toTimestamp } from '../src/platform/time/rules.ts';
import { findNextStep } from '../src/journeys/enrollment/next-step.ts';
import { isOpen } from '../src/journeys/rules.ts';
import {
  listLostWatches,
  readWatched,
  unwatch,
  watchOverdue,
} from '../src/journeys/watches/queries.ts';
import type { WatchedJourney } from '../src/journeys/watches/queries.ts';
import { describeProspect } from '../src/journeys/watches/rules.ts';
import type { Prospect } from '../src/journeys/watches/rules.ts';
import { journeyJob } from '../workflows/jobs.ts';

/** Counts how often in a row the journey was the same. */
interface Readings {
  seen: string;
  count: number;
}

type Outcome = WatchedJourney['status'] | 'recovered' | 'unwatched';

/** Pauses between two readings, each twice as long as the one before until something changes. */
const firstPauseMs = 5_000;
const longestPauseMs = 300_000;
/** A lane makes a step within this time. */
const stepMs = 2_000;
/** Longer than the workflow waits before it looks once more. */
const untouchedSeconds = 900;

/** Only reads: ids, words, and the name of the next message. */
export function watchJourney({ database }: { database: Database }): Job<Readings> {
  return {
    shape: journeyJob,
    overdue: [(from) => from.read(watchOverdue), untouchedFor(untouchedSeconds, listLostWatches)],
    async round({ teamId, id, state }) {
      const place = { team_id: teamId, id };
      const found = await database.read(async (sql) => {
        const journey = await readWatched(sql, place);
        return journey && { journey, ...(await findNextStep(sql, { ...journey, ...place })) };
      });
      if (!found) {
        const details = 'The journey exists no longer, and nothing more is sent.';
        return end({ outcome: 'deleted', decided: 0 }, details);
      }
      const { journey, ...ahead } = found;
      const details = describe(journey, ahead);
      const outcome = outcomeOf(journey);
      if (outcome !== undefined) {
        await database.read((sql) => unwatch(sql, place));
        const result = { outcome, decided: journey.decided };
        return end(result, `${details}${endings[outcome] ?? ''} ${readNow()}`);
      }
      const seen = createHash('sha256').update(details).digest('base64url');
      const count = state?.seen === seen ? state.count + 1 : 0;
      const { template_id: templateId, contact_id: contactId } = journey;
      return waitUntil(
        Date.now() + pauseOf(journey, count),
        'Reads the journey again',
        `${details} ${readNow()}`,
        { shown: { templateId, contactId }, state: { seen, count } },
      );
    },
  };
}

function pauseOf({ next_due_at: nextDueAt }: WatchedJourney, readings: number): number {
  const pauseMs = Math.min(firstPauseMs * 2 ** readings, longestPauseMs);
  const stepInMs = (epochMs(nextDueAt) ?? Infinity) - Date.now() + stepMs;
  return stepInMs > 0 ? Math.min(pauseMs, stepInMs) : pauseMs;
}

const readNow = () => `Read at ${new Date().toISOString()}.`;

/** Why the view of a journey that goes on has ended. */
const endings: Partial<Record<Outcome, string>> = {
  recovered: ' The overdue step was made; this view has ended, and the journey goes on.',
  unwatched: ' Nobody watches it any more; this view has ended, and the journey goes on.',
};

function outcomeOf({ reason, status, ...found }: WatchedJourney): Outcome | undefined {
  if (!isOpen(status)) return status;
  if (reason === null || found.is_over) return 'unwatched';
  // Those of a large backlog would otherwise come and go within seconds.
  const mayRecover = reason === 'overdue' && !found.is_new;
  return mayRecover && !found.is_overdue ? 'recovered' : undefined;
}

function describe(journey: WatchedJourney, ahead: Pick<Prospect, 'next' | 'awaiting'>): string {
  const { status, exit_reason: reason, template_status: templateStatus, decided } = journey;
  const { messages, skipped, attempts, is_overdue: isOverdue, next_attempt_at: nextAt } = journey;
  const [figures, reasons] = [listCounts(messages), listCounts(skipped)];
  const queued =
    nextAt === null
      ? ''
      : ` A message waits in the send queue, after ${String(attempts)} attempts; the next one is ` +
        `due at ${toTimestamp(Date.parse(nextAt))}.`;
  return (
    `The journey is ${status}${reason === null ? '' : ` (${reason})`}, its template is ` +
    `${templateStatus}. ${isOverdue ? 'It is overdue. ' : ''}${String(decided)} messages decided` +
    (figures === '' ? '. ' : `: ${figures}${reasons === '' ? '' : ` (${reasons})`}. `) +
    describeProspect(prospectOf(journey, ahead)) +
    queued
  );
}

function prospectOf(found: WatchedJourney, ahead: Pick<Prospect, 'next' | 'awaiting'>): Prospect {
  const { status, template_status: templateStatus, is_holdout: isHoldout, deadline_at } = found;
  return { status, templateStatus, isHoldout, ...ahead, deadlineAtMs: epochMs(deadline_at) };
}

function epochMs(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
