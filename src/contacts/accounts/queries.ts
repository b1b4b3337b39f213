import type { Sql } from '../../platform/database/sql.ts';
import { unlessConflict } from '../../platform/database/on-conflict.ts';
import { fail, notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { AccountContent, AccountStatus } from './rules.ts';

export interface AccountRow extends AccountContent {
  id: string;
  type: 'account';
  team_id: string;
  contact_id: string;
  status: AccountStatus;
  currency: string;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

/** The resource, from a row of accounts with the alias t. */
const shown = `t.*, 'account' as type`;

/** The accounts of a team, or of one contact of it. */
export function listAccountsOf(teamId: string, contactId?: string): ListSource {
  const from = 'accounts t';
  const alive = 't.team_id = $1::uuid and t.deleted_at is null';
  if (contactId === undefined) {
    return { from, select: shown, where: { text: alive, values: [teamId] } };
  }
  const text = `${alive} and t.contact_id = $2::uuid`;
  return { from, select: shown, where: { text, values: [teamId, contactId] } };
}

/** The latest accounts of each contact, by its id; at most `limit` each. */
export async function findAccountsOf(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<Map<string, AccountRow[]>> {
  const rows = await sql<AccountRow[]>`
    select account.*
    from unnest(${[...contactIds]}::uuid[]) as contact (id)
    cross join lateral (
      select ${sql.unsafe(shown)}
      from accounts t
      where t.team_id = ${teamId} and t.contact_id = contact.id and t.deleted_at is null
      order by t.inserted_at desc, t.id desc
      limit ${limit}
    ) as account`;
  const found = new Map<string, AccountRow[]>();
  for (const row of rows) found.set(row.contact_id, [...(found.get(row.contact_id) ?? []), row]);
  return found;
}

async function findAccount(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<AccountRow[]>`
    select ${sql.unsafe(shown)}
    from accounts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row;
}

/** Accounts of a team by id. */
export async function findAccounts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<AccountRow[]> {
  if (ids.length === 0) return [];
  return sql<AccountRow[]>`
    select ${sql.unsafe(shown)}
    from accounts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null`;
}

/** Throws 404. */
export async function requireAccount(sql: Sql, teamId: string, id: string): Promise<AccountRow> {
  const row = await findAccount(sql, teamId, id);
  if (!row) throw notFound('account');
  return row;
}

/** Locks the account until the end of the transaction. Throws 404. */
export async function lockAccount(sql: Sql, teamId: string, id: string): Promise<AccountRow> {
  const [row] = await sql<AccountRow[]>`
    select ${sql.unsafe(shown)}
    from accounts t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for update`;
  if (!row) throw notFound('account');
  return row;
}

/** Locks accounts in the order of their ids; those that are deleted are left out. */
export async function lockAccounts(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<AccountRow[]> {
  return sql<AccountRow[]>`
    select ${sql.unsafe(shown)}
    from accounts t
    where t.team_id = ${teamId} and t.id = any(${[...ids]}::uuid[]) and t.deleted_at is null
    order by t.id
    for update`;
}

/** `version` is the lock_version to begin with. Throws 409 where the contact has the unique_id. */
export async function insertAccount(
  sql: Sql,
  place: { teamId: string; contactId: string },
  account: AccountContent,
  version: number,
): Promise<AccountRow> {
  const { teamId, contactId } = place;
  const row = {
    team_id: teamId,
    contact_id: contactId,
    lock_version: version,
    ...columns(sql, account),
  };
  const [inserted] = await sql<AccountRow[]>`
    with t as (
      insert into accounts ${sql({ ...row, currency: await currencyOf(sql, teamId) })}
      on conflict (team_id, contact_id, unique_id)
        where unique_id is not null and deleted_at is null
      do nothing
      returning *
    )
    select ${sql.unsafe(shown)} from t /* team_id is a column of the row */`;
  if (!inserted) throw await uniqueIdTaken(sql, teamId, contactId, account.unique_id);
  return inserted;
}

/** Throws 409 where another account of the contact has the unique_id. Locked by the caller. */
export async function updateAccountRow(
  sql: Sql,
  { team_id: teamId, contact_id: contactId, id }: AccountRow,
  account: AccountContent,
): Promise<AccountRow> {
  const done = await unlessConflict(
    sql,
    'accounts_unique_id',
    () => sql<[AccountRow]>`
      update accounts t
      set ${sql(columns(sql, account))}, lock_version = t.lock_version + 1, updated_at = now()
      where t.team_id = ${teamId} and t.id = ${id}
      returning ${sql.unsafe(shown)}`,
  );
  if (!done) throw await uniqueIdTaken(sql, teamId, contactId, account.unique_id);
  return done[0];
}

/** Accounts that a contact has; exact while the contact is locked. */
export async function countAccountsOf(
  sql: Sql,
  teamId: string,
  contactId: string,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from accounts
    where team_id = ${teamId} and contact_id = ${contactId} and deleted_at is null`;
  return row.count;
}

export async function deleteAccountRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update accounts
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

export async function deleteAccountsOf(sql: Sql, teamId: string, contactId: string): Promise<void> {
  await sql`
    update accounts
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and contact_id = ${contactId} and deleted_at is null`;
}

async function currencyOf(sql: Sql, teamId: string): Promise<string> {
  const [team] = await sql<[{ currency: string }]>`
    select currency from teams where id = ${teamId} /* team_id is this id */`;
  return team.currency;
}

function columns(sql: Sql, account: AccountContent) {
  return {
    unique_id: account.unique_id,
    name: account.name,
    kind: account.kind,
    product_id: account.product_id,
    opened_at: account.opened_at,
    closed_at: account.closed_at,
    balance_cents: account.balance_cents,
    is_primary: account.is_primary,
    attributes: sql.json(account.attributes),
  };
}

async function uniqueIdTaken(sql: Sql, teamId: string, contactId: string, uniqueId: string | null) {
  const [holder] = await sql<{ id: string }[]>`
    select id
    from accounts
    where team_id = ${teamId} and contact_id = ${contactId} and unique_id = ${uniqueId}
      and deleted_at is null`;
  return fail('unique_id_taken', {
    detail: 'Another account of the contact has this unique_id.',
    meta: { pointer: '/unique_id', ...holder },
  });
}
