import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { UserState } from './rules.ts';

/** Fields of a user that clients write. */
export interface UserContent extends Pick<UserState, 'role'> {
  email: string;
  name: string | null;
}

export interface UserColumns extends UserContent, UserState {
  mfa_enabled: boolean | null;
  invited_at: string;
  suspended_at: string | null;
}

export interface UserRow extends UserColumns {
  id: string;
  type: 'user';
  team_id: string;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

export function userSource(teamId: string): ListSource {
  return {
    from: 'users t',
    select: `t.*, 'user' as type`,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
  };
}

/** Throws 404. */
export async function requireUser(sql: Sql, teamId: string, id: string): Promise<UserRow> {
  const [row] = await sql<UserRow[]>`
    select *, 'user' as type from users
    where team_id = ${teamId} and id = ${id} and deleted_at is null`;
  return row ?? notFound();
}

/** For operators: those of a team, by address. */
export async function listUsersOf(sql: Sql, teamId: string): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select *, 'user' as type from users
    where team_id = ${teamId} and deleted_at is null
    order by folded(email), id`;
}

/** Locks the user until the end of the transaction. Throws 404. */
export async function lockUser(sql: Sql, teamId: string, id: string): Promise<UserRow> {
  const [row] = await sql<UserRow[]>`
    select *, 'user' as type from users
    where team_id = ${teamId} and id = ${id} and deleted_at is null
    for update`;
  return row ?? notFound();
}

/** The user with this address, regardless of case. */
export async function findUserByEmail(sql: Sql, teamId: string, email: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from users
    where team_id = ${teamId} and folded(email) = folded(${email})
      and deleted_at is null`;
  return row;
}

/** Whether the team has another administrator; exact only while the team is locked. */
export async function hasOtherAdmin(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from users
    where team_id = ${teamId} and id <> ${id} and role = 'admin' and status = 'active'
      and deleted_at is null
    limit 1`;
  return rows.length > 0;
}

export async function insertUser(
  sql: Sql,
  teamId: string,
  user: UserContent & Pick<UserColumns, 'status' | 'invited_at' | 'invite_expires_at'>,
): Promise<UserRow> {
  const [row] = await sql<[UserRow]>`
    insert into users ${sql({ team_id: teamId, ...user })}
    returning *, 'user' as type`;
  return row;
}

export async function updateUserRow(
  sql: Sql,
  { team_id, id }: UserRow,
  changes: Partial<UserColumns>,
): Promise<UserRow> {
  const [row] = await sql<[UserRow]>`
    update users
    set ${sql(changes)}, lock_version = lock_version + 1, updated_at = now()
    where team_id = ${team_id} and id = ${id}
    returning *, 'user' as type`;
  return row;
}

export async function deleteUserRow(sql: Sql, teamId: string, id: string): Promise<UserRow> {
  const [row] = await sql<[UserRow]>`
    update users
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}
    returning *, 'user' as type`;
  return row;
}

function notFound(): never {
  throw fail('not_found', { detail: 'No such user.', meta: { resource: 'user' } });
}
