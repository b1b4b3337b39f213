import type { Sql } from '../../../platform/database/sql.ts';
import type { Persons } from '../../../contacts/contact-erasures/sweeping/queries.ts';

/** Lines of one transaction of an erasure. */
const batchSize = 500;

interface ContentUse {
  team_id: string;
  content_id: string | null;
}

/** Erases content and address of messages to persons; returns the number of lines. */
export async function eraseLines(sql: Sql, { teamId, contactIds }: Persons): Promise<number> {
  const used = await sql<ContentUse[]>`
    with gone as (
      select id, inserted_at, content_id from archived_messages
      where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])
        and erased_at is null
      limit ${batchSize}
      for update
    )
    update archived_messages t
    set erased_at = now(), sealed_addresses = null, to_masked = null, provider_message_id = null,
      content_id = null, lock_version = t.lock_version + 1, updated_at = now()
    from gone
    where t.team_id = ${teamId} and t.id = gone.id and t.inserted_at = gone.inserted_at
    returning t.team_id, gone.content_id`;
  await deleteUnused(sql, used);
  return used.length;
}

/** Messages and teams of one transaction of the maintenance. */
const prunedMessages = 2_000;
const prunedTeams = 20;

/**
 * Deletes archived messages whose term has ended and that no legal hold stands on, with contents that
 * nothing uses any more. A hold that is placed meanwhile waits for the team, or is found.
 */
export async function pruneArchived(sql: Sql): Promise<number> {
  const teams = await sql<{ id: string }[]>`
    select t.id from teams t
    where not exists (
        select from legal_holds h
        where h.team_id = t.id and h.contact_id is null and h.released_at is null)
      and exists (
        select from archived_messages m
        where m.team_id = t.id and m.expires_at < now() and not ${isHeld(sql)})
    order by t.id
    limit ${prunedTeams} /* any team: housekeeping */
    for share of t skip locked`;
  const used = await sql<ContentUse[]>`
    with due as (
      select old.* from unnest(${teams.map(({ id }) => id)}::uuid[]) as t (id)
      cross join lateral (
        select m.team_id, m.id, m.inserted_at from archived_messages m
        where m.team_id = t.id and m.expires_at < now() and not ${isHeld(sql)}
        order by m.expires_at
        limit ${prunedMessages}
      ) old
      limit ${prunedMessages}
    )
    delete from archived_messages m using due
    where m.team_id = due.team_id and m.id = due.id and m.inserted_at = due.inserted_at
    returning m.team_id, m.content_id`;
  await deleteUnused(sql, used);
  return used.length;
}

/** Whether a hold stands on the contact of an archived message m, or on its team. */
const isHeld = (sql: Sql) => sql`exists (
  select from legal_holds h
  where h.team_id = m.team_id and h.released_at is null
    and (h.contact_id is null or h.contact_id = m.contact_id))`;

/**
 * Deletes those of the contents that no message uses. They are locked first: the check then sees
 * every message that used them before, and a message that uses one later stores it again.
 */
async function deleteUnused(sql: Sql, used: readonly ContentUse[]): Promise<void> {
  const stored = used.filter(({ content_id }) => content_id !== null);
  if (stored.length === 0) return;
  const teamIds = stored.map(({ team_id }) => team_id);
  const ids = stored.map(({ content_id }) => content_id);
  await sql`
    select from archived_contents
    where (team_id, id) in (select * from unnest(${teamIds}::uuid[], ${ids}::uuid[]))
    order by team_id, id
    for update`;
  await sql`
    delete from archived_contents c
    where (c.team_id, c.id) in (select * from unnest(${teamIds}::uuid[], ${ids}::uuid[]))
      and not exists (
        select from archived_messages m where m.team_id = c.team_id and m.content_id = c.id)`;
}
