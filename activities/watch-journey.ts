import type { Database } from '../src/platform/database/client.ts';
import { findNextStep } from '../src/journeys/enrollment/next-step.ts';
import { isOpen } from '../src/journeys/rules.ts';
import { readWatched, unwatch } from '../src/journeys/watches/queries.ts';
import type { WatchedJourney } from '../src/journeys/watches/queries.ts';
import type { Prospect } from '../src/journeys/watches/rules.ts';

/** A journey as its workflow shows it: ids, words, and the name of the next message. */
export interface JourneySight extends Pick<
  WatchedJourney,
  'status' | 'decided' | 'messages' | 'skipped' | 'attempts'
> {
  templateId: string;
  templateStatus: string;
  /** Absent from a worker of an earlier version. */
  prospect?: Prospect;
  exitReason: string | null;
  isOverdue: boolean;
  nextStepAtMs: number | null;
  nextAttemptAtMs: number | null;
}

/**
 * `outcome` where the watch has ended: the status of a journey that has ended; `recovered` where
 * the overdue step was made; else `unwatched` or `deleted`.
 */
export interface JourneyLook {
  journey?: JourneySight;
  outcome?: JourneySight['status'] | 'recovered' | 'unwatched' | 'deleted';
}

export function createWatchActivities({ database }: { database: Database }) {
  return {
    async lookAtJourney({
      teamId,
      journeyId,
    }: {
      teamId: string;
      journeyId: string;
    }): Promise<JourneyLook> {
      const place = { team_id: teamId, id: journeyId };
      const seen = await database.read(async (sql) => {
        const journey = await readWatched(sql, place);
        if (!journey) return undefined;
        return { found: journey, ...(await findNextStep(sql, { ...journey, ...place })) };
      });
      if (!seen) return { outcome: 'deleted' };
      const { found, next, awaiting } = seen;
      const outcome = outcomeOf(found);
      if (outcome !== undefined) await database.read((sql) => unwatch(sql, place));
      const journey = { ...sightOf(found), prospect: prospectOf(found, { next, awaiting }) };
      return { journey, ...(outcome !== undefined && { outcome }) };
    },
  };
}

function outcomeOf({ reason, status, ...found }: WatchedJourney): JourneyLook['outcome'] {
  if (!isOpen(status)) return status;
  if (reason === null || found.is_over) return 'unwatched';
  // Those of a large backlog would otherwise come and go within seconds.
  const mayRecover = reason === 'overdue' && !found.is_new;
  return mayRecover && !found.is_overdue ? 'recovered' : undefined;
}

function sightOf(found: WatchedJourney): JourneySight {
  const { status, decided, messages, skipped, attempts } = found;
  return {
    status,
    decided,
    messages,
    skipped,
    attempts,
    templateId: found.template_id,
    templateStatus: found.template_status,
    exitReason: found.exit_reason,
    isOverdue: found.is_overdue,
    nextStepAtMs: epochMs(found.next_due_at),
    nextAttemptAtMs: epochMs(found.next_attempt_at),
  };
}

function prospectOf(found: WatchedJourney, ahead: Pick<Prospect, 'next' | 'awaiting'>): Prospect {
  const { status, template_status: templateStatus, is_holdout: isHoldout, deadline_at } = found;
  return { status, templateStatus, isHoldout, ...ahead, deadlineAtMs: epochMs(deadline_at) };
}

function epochMs(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
