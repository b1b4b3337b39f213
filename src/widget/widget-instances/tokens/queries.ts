import type { Sql } from '../../../platform/database/sql.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';

/** A journey that a token may be bound to. */
export interface JourneyToShow {
  id: string;
  template_id: string;
  is_open: boolean;
}

/**
 * Returns the named journey of a contact, in any state, or the newest open one, optionally of one
 * template.
 */
export async function findJourneyToShow(
  sql: Sql,
  teamId: string,
  requested: { contactId: string; journeyId: string | undefined; templateId: string | null },
): Promise<JourneyToShow | undefined> {
  const { contactId, journeyId = null, templateId } = requested;
  const [row] = await sql<JourneyToShow[]>`
    select id, template_id, status in ('scheduled', 'active', 'paused') as is_open
    from journeys
    where team_id = ${teamId} and contact_id = ${contactId}
      and (${templateId}::uuid is null or template_id = ${templateId}::uuid)
      and case when ${journeyId}::uuid is null then status in ('scheduled', 'active', 'paused')
        else id = ${journeyId}::uuid end
    order by enrolled_at desc, id desc
    limit 1`;
  return row;
}

/** Ends a token and the session that it opened. */
export async function revokeWidgetToken(
  sql: Sql,
  teamId: string,
  tokenId: string,
  expiresAt: Date,
): Promise<void> {
  await sql`
    insert into revoked_tokens (token_id, expires_at)
    values (${tokenId}, ${toTimestamp(expiresAt.getTime())})
    on conflict do nothing`;
  await sql`
    delete from recipient_sessions where team_id = ${teamId} and opened_by_token = ${tokenId}`;
}

/** Ends every token of a widget, which is locked, with the sessions that they opened. */
export async function revokeWidgetTokens(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update widget_instances set tokens_valid_after = now()
    where team_id = ${teamId} and id = ${id}`;
  await sql`
    delete from recipient_sessions where team_id = ${teamId} and widget_instance_id = ${id}`;
}
