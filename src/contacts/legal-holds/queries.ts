import type { Sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { MergedPair } from '../hooks.ts';
import type { LegalHoldRow } from './legal-hold.ts';

export function legalHoldSource(teamId: string): ListSource {
  return {
    from: 'legal_holds t',
    select: `t.*, 'legal_hold' as type`,
    where: { text: 't.team_id = $1', values: [teamId] },
  };
}

/** Throws 404. */
export async function requireLegalHold(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<LegalHoldRow> {
  const [row] = await sql<LegalHoldRow[]>`
    select *, 'legal_hold' as type from legal_holds
    where team_id = ${teamId} and id = ${id}`;
  if (!row) throw notFound('legal_hold');
  return row;
}

/** Locks the hold until the end of the transaction. Throws 404. */
export async function lockLegalHold(sql: Sql, teamId: string, id: string): Promise<LegalHoldRow> {
  const [row] = await sql<LegalHoldRow[]>`
    select *, 'legal_hold' as type from legal_holds
    where team_id = ${teamId} and id = ${id}
    for update`;
  if (!row) throw notFound('legal_hold');
  return row;
}

export async function countActive(sql: Sql, teamId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from legal_holds
    where team_id = ${teamId} and released_at is null`;
  return row.count;
}

export async function insertLegalHold(
  sql: Sql,
  teamId: string,
  hold: Pick<LegalHoldRow, 'contact_id' | 'reason' | 'placed_by_client_id'>,
): Promise<LegalHoldRow> {
  const [row] = await sql<[LegalHoldRow]>`
    insert into legal_holds ${sql({ team_id: teamId, ...hold })}
    returning *, 'legal_hold' as type`;
  return row;
}

export async function releaseLegalHold(
  sql: Sql,
  { team_id, id }: LegalHoldRow,
  clientId: string,
): Promise<LegalHoldRow> {
  const [row] = await sql<[LegalHoldRow]>`
    update legal_holds
    set released_at = now(), released_by_client_id = ${clientId},
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}
    returning *, 'legal_hold' as type`;
  return row;
}

/** The oldest hold that stands on one of the contacts or on their team. */
export async function findHoldOn(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from legal_holds
    where team_id = ${teamId} and released_at is null
      and (contact_id is null or contact_id = any(${[...contactIds]}::uuid[]))
    order by inserted_at, id
    limit 1`;
  return row;
}

/** The oldest hold of a team that stands, on whom it may be. */
export async function findAnyHold(sql: Sql, teamId: string): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from legal_holds
    where team_id = ${teamId} and released_at is null
    order by inserted_at, id
    limit 1`;
  return row;
}

/** Locks a contact in any status, so that an erasure of it comes before or after. */
export async function lockHeld(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<{ merged_into_id: string | null; erased_at: string | null } | undefined> {
  const [row] = await sql<{ merged_into_id: string | null; erased_at: string | null }[]>`
    select merged_into_id, erased_at from contacts
    where team_id = ${teamId} and id = ${id}
    for update`;
  return row;
}

/** A hold on the loser is one on the winner, who has all of it. */
export async function mergeHolds(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<void> {
  await sql`
    update legal_holds
    set contact_id = ${winnerId}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and contact_id = ${loserId}`;
}
