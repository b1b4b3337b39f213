import { isolate } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { byName } from '../../platform/events/event-type.ts';
import type { Leaving } from '../../cohorts/hooks.ts';
import { journeyEvents } from '../events.ts';
import type { Ending } from '../rules.ts';
import { publishJourneyEvents } from '../publish.ts';
import type { Happened } from '../queries.ts';
import {
  endingLoopName,
  endJourneys,
  findFulfilled,
  findLeft,
  findOpenOf,
  findUnsubscribed,
  lockJourneysWith,
  lockOpenOf,
} from './queries.ts';

/** Journeys that one statement ends. */
const batch = 1_000;

const types = byName(journeyEvents);

/** Publishes the end of journeys. */
async function publishEnded(
  sql: Sql,
  teamId: string,
  { status, reason }: Ending,
  ended: readonly Happened[],
): Promise<void> {
  await publishJourneyEvents(sql, teamId, types[`journey.${status}`], ended, reason);
}

/** Ends open journeys by id, in the caller's transaction; returns how many there were. */
export async function end(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
  ending: Ending,
): Promise<number> {
  if (ids.length === 0) return 0;
  const ended = await endJourneys(sql, teamId, ids, ending);
  await publishEnded(sql, teamId, ending, ended);
  return ended.length;
}

const endingLoop: RowLoop<{ team_id: string; id: string }> = {
  name: endingLoopName,
  keyOf: (journey) => journey,
};

/**
 * Ends some of a template's open journeys; one that cannot be ended waits. Returns how many it has
 * looked at: none when nothing is left.
 */
export async function endSome(
  sql: Sql,
  log: Log,
  template: { team_id: string; id: string },
  ending: Ending,
  limit: number,
): Promise<{ looked: number; ended: number }> {
  const { team_id } = template;
  const found = await lockOpenOf(sql, template, limit);
  const parts = await isolate(sql, log, endingLoop, found, (some) =>
    end(
      sql,
      team_id,
      some.map(({ id }) => id),
      ending,
    ),
  );
  return { looked: found.length, ended: parts.reduce((sum, part) => sum + part, 0) };
}

/** Ends what contacts are in that are archived or erased; they are locked. */
export async function endForDeletedContacts(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  const ids = await findOpenOf(sql, teamId, contactIds);
  await end(sql, teamId, ids, { status: 'exited', reason: 'contact_archived' });
}

/** Ends what suppressed contacts are in: nothing may be sent to them. */
export async function endForSuppressed(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  const ids = await findOpenOf(sql, teamId, contactIds);
  await end(sql, teamId, ids, { status: 'exited', reason: 'suppressed' });
}

/** Ends journeys of contacts whose unsubscribing leaves none of their messages to be sent. */
export async function endForUnsubscribed(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  const ids = await findUnsubscribed(sql, teamId, contactIds);
  await end(sql, teamId, ids, { status: 'exited', reason: 'unsubscribed' });
}

/**
 * Ends journeys of contacts that left the cohort that enrolled them, if the template is set so.
 * Without `contactIds`, all contacts that the cohort enrolled are checked.
 */
export async function endForLeaving(
  sql: Sql,
  teamId: string,
  { cohortId, contactIds }: Leaving,
): Promise<void> {
  let isMore = true;
  while (isMore) {
    const ids = await findLeft(sql, teamId, { cohortId, contactIds }, batch);
    await end(sql, teamId, ids, { status: 'exited', reason: 'left_cohort' });
    isMore = ids.length === batch;
  }
}

/** Completes journeys whose last objective is completed, if the template is set so. */
export async function endFulfilled(
  sql: Sql,
  teamId: string,
  completed: readonly { contact_id: string; objective_id: string }[],
): Promise<void> {
  const ids = await lockJourneysWith(sql, teamId, completed);
  if (ids.length === 0) return;
  const fulfilled = await findFulfilled(sql, teamId, ids);
  await end(sql, teamId, fulfilled, { status: 'completed', reason: 'objectives_completed' });
}
