import type { Sql } from '../../platform/database/sql.ts';
import type { AccountRow } from '../accounts/queries.ts';
import type { MergedPair } from '../hooks.ts';
import { shown } from '../queries.ts';
import type { ContactRow } from '../queries.ts';

/** Contacts in any status, locked in the order of their ids so that two merges cannot deadlock. */
export async function lockInAnyStatus(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<ContactRow[]> {
  return sql<ContactRow[]>`
    select ${sql.unsafe(shown)}
    from contacts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[])
    order by t.id
    for update of t`;
}

/** Archives the loser, which frees its key, and redirects contacts merged into it earlier. */
export async function markMerged(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<ContactRow> {
  await sql`
    update contacts set merged_into_id = ${winnerId}
    where team_id = ${teamId} and merged_into_id = ${loserId}`;
  const [row] = await sql<[ContactRow]>`
    update contacts t
    set status = 'archived', deleted_at = now(), merged_into_id = ${winnerId},
      lock_version = t.lock_version + 1, updated_at = now()
    where t.team_id = ${teamId} and t.id = ${loserId}
    returning ${sql.unsafe(shown)}`;
  return row;
}

/**
 * Removes accounts of the loser that the winner has by the same unique_id, moves the others, and
 * returns these. The completions of what was removed are those of the account that stays.
 */
export async function moveAccounts(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<AccountRow[]> {
  await sql`
    with doubled as (
      select ours.id as kept_id, theirs.id
      from accounts theirs
      join accounts ours on ours.team_id = theirs.team_id and ours.contact_id = ${winnerId}
        and ours.unique_id = theirs.unique_id and ours.deleted_at is null
      where theirs.team_id = ${teamId} and theirs.contact_id = ${loserId}
        and theirs.deleted_at is null
    ),
    repointed as (
      update objective_completions c set account_id = doubled.kept_id, updated_at = now()
      from doubled
      where c.team_id = ${teamId} and c.contact_id in (${winnerId}, ${loserId})
        and c.account_id = doubled.id
    )
    update accounts a
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    from doubled
    where a.team_id = ${teamId} and a.id = doubled.id`;
  return sql<AccountRow[]>`
    update accounts t
    set contact_id = ${winnerId}, lock_version = t.lock_version + 1, updated_at = now(),
      is_primary = t.is_primary and not exists (
        select from accounts o
        where o.team_id = ${teamId} and o.contact_id = ${winnerId} and o.is_primary
          and o.deleted_at is null)
    where t.team_id = ${teamId} and t.contact_id = ${loserId} and t.deleted_at is null
    returning t.*, 'account' as type`;
}

/** Moves what simply changes its owner. */
export async function moveChildren(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<void> {
  await sql`
    update contact_devices
    set contact_id = ${winnerId}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and contact_id = ${loserId}`;
  await sql`
    update message_deliveries set contact_id = ${winnerId}
    where team_id = ${teamId} and contact_id = ${loserId}`;
  // After the deliveries: their locks end transactions that archive a message of the loser.
  await sql`
    update archived_messages set contact_id = ${winnerId}
    where team_id = ${teamId} and contact_id = ${loserId}`;
  await sql`
    update inbound_deliveries set contact_id = ${winnerId}
    where team_id = ${teamId} and contact_id = ${loserId}`;
  await sql`
    update consent_confirmations set contact_id = ${winnerId}
    where team_id = ${teamId} and contact_id = ${loserId}`;
  await sql`select move_contact_history(${teamId} /* team_id */, ${loserId})`;
}

/** A suppression of either stops both, and the later engagement is that of the person. */
export async function mergeConsentStatus(
  sql: Sql,
  teamId: string,
  { winnerId, loserId }: MergedPair,
): Promise<void> {
  await sql`
    update suppressions s
    set lock_version = lock_version + 1, updated_at = now(),
      contact_id = case when doubled.is_so then contact_id else ${winnerId}::uuid end,
      deleted_at = case when doubled.is_so then now() end
    from (select exists (
      select from suppressions
      where team_id = ${teamId} and contact_id = ${winnerId} and deleted_at is null)) as doubled (is_so)
    where s.team_id = ${teamId} and s.contact_id = ${loserId} and s.deleted_at is null`;
  await sql`
    update contacts t
    set last_engaged_at = greatest(t.last_engaged_at, l.last_engaged_at),
      status = case when exists (
          select from suppressions s
          where s.team_id = ${teamId} and s.contact_id = t.id and s.deleted_at is null)
        then 'suppressed' else t.status end
    from contacts l
    where t.team_id = ${teamId} and t.id = ${winnerId}
      and l.team_id = ${teamId} and l.id = ${loserId}`;
}
