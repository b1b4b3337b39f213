import type { JourneyStatus } from '../../../../cohorts/definition/journey-statuses.ts';
import type { Sql } from '../../../../platform/database/sql.ts';

/** A journey of a contact, as far as its next step needs it. */
export interface FoundJourney {
  team_id: string;
  id: string;
  template_id: string;
  status: JourneyStatus;
  template_status: string;
  exit_reason: string | null;
  is_holdout: boolean;
  next_due_at: string | null;
  deadline_at: string | null;
}

/** The latest journeys of a contact, or one journey. */
export async function listFoundJourneys(
  sql: Sql,
  teamId: string,
  by: { contactId: string } | { journeyId: string },
  limit: number,
): Promise<FoundJourney[]> {
  const requested =
    'contactId' in by ? sql`j.contact_id = ${by.contactId}` : sql`j.id = ${by.journeyId}`;
  return sql<FoundJourney[]>`
    select j.team_id, j.id, j.template_id, j.status, t.status as template_status, j.exit_reason,
      j.is_holdout, j.next_due_at, j.deadline_at
    from journeys j join templates t on t.team_id = j.team_id and t.id = j.template_id
    where j.team_id = ${teamId} and ${requested}
    order by j.enrolled_at desc, j.id desc
    limit ${limit}`;
}
