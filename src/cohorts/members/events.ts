import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { recordEvents, subscribedTypes } from '../../platform/events/record.ts';
import { inUtc } from '../../platform/time/rules.ts';
import { cohortMemberAdded, cohortMemberRemoved } from '../events.ts';
import type { CohortRow } from '../queries.ts';
import type { Moved } from './queries.ts';

const types = [cohortMemberAdded, cohortMemberRemoved];

/** Whether the team has a subscription to changes of cohort members. */
export async function hasMemberSubscription(sql: Sql, teamId: string): Promise<boolean> {
  return (await subscribedTypes(sql, teamId, types)).size > 0;
}

/** Records the events of contacts that joined and left a cohort, given as it is after that. */
export function recordMoves(
  sql: Sql,
  { team_id, id, lock_version }: CohortRow,
  { came, went }: { came: readonly Moved[]; went: readonly Moved[] },
): void {
  const eventsOf = (type: EventType, moved: readonly Moved[]) =>
    moved.map(({ contact_id, joined_at }) => ({
      type,
      data: {
        id: contact_id,
        type: 'cohort_member',
        team_id,
        cohort_id: id,
        contact_id,
        joined_at: inUtc(joined_at),
      },
      sequence: lock_version,
    }));
  recordEvents(sql, team_id, [
    ...eventsOf(cohortMemberAdded, came),
    ...eventsOf(cohortMemberRemoved, went),
  ]);
}
