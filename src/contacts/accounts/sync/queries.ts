import type { Sql } from '../../../platform/database/sql.ts';
import type { AccountRow } from '../queries.ts';
import type { AccountContent } from '../rules.ts';

/** An account of a contact by the partner's own key. */
export interface AccountKey {
  contact_id: string;
  unique_id: string;
}

/** An account to be written, whole. */
export interface AccountToWrite extends AccountContent {
  id: string;
  contact_id: string;
  /** Version of a new account. */
  lock_version: number;
}

/** Locks accounts by key, in the order of their ids. */
export async function lockAccountsByKey(
  sql: Sql,
  teamId: string,
  keys: readonly AccountKey[],
): Promise<AccountRow[]> {
  return sql<AccountRow[]>`
    select t.*, 'account' as type
    from unnest(${keys.map(({ contact_id }) => contact_id)}::uuid[],
      ${keys.map(({ unique_id }) => unique_id)}::text[]) as w (contact_id, unique_id)
    join accounts t on t.team_id = ${teamId} and t.contact_id = w.contact_id
      and t.unique_id = w.unique_id and t.deleted_at is null
    order by t.id
    for update of t`;
}

/** Number of accounts of each contact; exact while the contacts are locked. */
export async function countAccountsOfEach(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ contact_id: string; count: number }[]>`
    select contact_id, count(*)::int as count
    from accounts
    where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])
      and deleted_at is null
    group by contact_id`;
  return new Map(rows.map(({ contact_id, count }) => [contact_id, count]));
}

/** The contacts are locked, so that nobody else adds an account. */
export async function insertAccounts(
  sql: Sql,
  teamId: string,
  accounts: readonly AccountToWrite[],
): Promise<AccountRow[]> {
  return sql<AccountRow[]>`
    with t as (
      insert into accounts (
        team_id, id, contact_id, unique_id, name, kind, product_id, opened_at, closed_at,
        balance_cents, currency, is_primary, attributes, lock_version
      )
      select ${teamId}, w.id, w.contact_id, w.unique_id, w.name, w.kind, w.product_id, w.opened_at,
        w.closed_at, w.balance_cents, team.currency, w.is_primary, w.attributes, w.lock_version
      from ${written(sql, accounts)}
      join teams team on team.id = ${teamId}
      returning *
    )
    select *, 'account' as type from t`;
}

/** The accounts are locked and keep their unique_id. */
export async function updateAccounts(
  sql: Sql,
  teamId: string,
  accounts: readonly AccountToWrite[],
): Promise<AccountRow[]> {
  return sql<AccountRow[]>`
    update accounts t
    set name = w.name, kind = w.kind, product_id = w.product_id, opened_at = w.opened_at,
      closed_at = w.closed_at, balance_cents = w.balance_cents, is_primary = w.is_primary,
      attributes = w.attributes, lock_version = t.lock_version + 1, updated_at = now()
    from ${written(sql, accounts)}
    where t.team_id = ${teamId} and t.id = w.id
    returning t.*, 'account' as type`;
}

/** The rows as a relation `w`. */
function written(sql: Sql, accounts: readonly AccountToWrite[]) {
  return sql`jsonb_to_recordset(${JSON.stringify(accounts)}::text::jsonb) as w (
    id uuid, contact_id uuid, unique_id text, name text, kind text, product_id uuid,
    opened_at timestamptz, closed_at timestamptz, balance_cents bigint, is_primary boolean,
    attributes jsonb, lock_version bigint)`;
}
