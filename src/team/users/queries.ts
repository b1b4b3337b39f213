import type { Sql } from '../../platform/database/sql.ts';
import { table } from '../../platform/resources/table.ts';
import { User } from './user.ts';
import type { UserRow } from './user.ts';

export const users = table('users', User, {
  required: ['email'],
  optional: ['name', 'role'],
  unique: { field: 'email', index: 'users_email_taken', isFolded: true, code: 'email_taken' },
});

/** For operators: those of a team, by address. */
export async function listUsersOf(sql: Sql, teamId: string): Promise<UserRow[]> {
  return sql<UserRow[]>`
    select ${sql.unsafe(users.columns)} from users t
    where team_id = ${teamId} and deleted_at is null
    order by folded(email), id`;
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
