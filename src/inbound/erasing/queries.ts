import type { Persons } from '../../contacts/contact-erasures/sweeping/queries.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** Rows that one transaction changes at most, so that nobody waits for long. */
const batchSize = 500;

/** Callbacks about the person, and those that name the person and are linked to nobody. */
export async function eraseCallbacks(
  sql: Sql,
  { teamId, contactIds, needles }: Persons,
): Promise<number> {
  const ids = [...contactIds];
  const rows = await sql`
    with found as (
      select d.day, d.id, coalesce(d.batch_id, d.id) as raw_id from inbound_deliveries d
      where d.team_id = ${teamId} and (d.payload is not null or d.headers is not null)
        and (d.contact_id = any(${ids}::uuid[]) or d.do_contact_id = any(${ids}::uuid[])
          or d.contact_id is null and exists (
            select from unnest(${[...needles]}::text[]) as n (text)
            where strpos(folded(d.payload::text), n.text) > 0))
      limit ${batchSize}
    ),
    raw as (
      delete from inbound_raw r using found
      where r.team_id = ${teamId} and r.day = found.day and r.id = found.raw_id
    )
    update inbound_deliveries d
    set payload = null, headers = null, error = null, next_attempt_at = null, body_sha256 = null
    from found where d.team_id = ${teamId} and d.day = found.day and d.id = found.id`;
  return rows.count;
}

export interface RawCallback {
  day: string;
  id: string;
  sealed_callback: string;
}

/** Bytes of callbacks with something that is linked to nobody, in the order of their ids. */
export async function listUnlinkedRaw(
  sql: Sql,
  teamId: string,
  behind: string,
): Promise<RawCallback[]> {
  return sql<RawCallback[]>`
    select r.day, r.id, r.sealed_callback from inbound_raw r
    where r.team_id = ${teamId} and r.id > ${behind} and exists (
      select from inbound_deliveries d
      where d.team_id = ${teamId} and d.day = r.day and (d.id = r.id or d.batch_id = r.id)
        and d.contact_id is null)
    order by r.id
    limit 100`;
}

/** Deletes the bytes of callbacks; the deliveries record the deletion. */
export async function deleteRaw(sql: Sql, teamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from inbound_raw where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
  await sql`
    update inbound_deliveries set body_sha256 = null, headers = null, next_attempt_at = null
    where team_id = ${teamId}
      and (id = any(${[...ids]}::uuid[]) or batch_id = any(${[...ids]}::uuid[]))`;
}
