import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { recordEvent } from '../../platform/events/record.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { actionNotAllowed, fail } from '../../platform/http/errors.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { lockTeam } from '../queries.ts';
import { hasOtherAdmin, users } from './queries.ts';
import type { UserRow } from './user.ts';
import { allowedActions, inviteLifetimeMs, isActiveAdmin } from './rules.ts';
import type { UserAction, UserState } from './rules.ts';

/** Locks the team first: two admins who suspend each other must not both succeed. */
export async function lockUser(sql: Sql, teamId: string, id: string): Promise<UserRow> {
  await lockTeam(sql, teamId);
  return users.lock(sql, teamId, id);
}

type UserCall = Pick<
  Call<{ id: string }, unknown, unknown>,
  'sql' | 'teamId' | 'params' | 'checkPrecondition'
>;

export async function lockFor(
  { sql, teamId, params, checkPrecondition }: UserCall,
  action: UserAction,
): Promise<UserRow> {
  const row = await lockUser(sql, teamId, params.id);
  checkPrecondition(row);
  const allowed = allowedActions(row);
  if (allowed.includes(action)) return row;
  throw actionNotAllowed('user', { state: row.status, action, allowed });
}

/** Throws 409 if the change would leave the team without an administrator. */
export async function keepAnAdmin(sql: Sql, before: UserRow, after: UserState | undefined) {
  if (!isActiveAdmin(before) || (after && isActiveAdmin(after))) return;
  if (await hasOtherAdmin(sql, before.team_id, before.id)) return;
  throw fail('last_admin', { detail: 'This is the last active admin of the team.' });
}

export function freshInvite(): Pick<UserRow, 'invited_at' | 'invite_expires_at'> {
  const now = Date.now();
  const invite_expires_at = toTimestamp(now + inviteLifetimeMs);
  return { invited_at: new Date(now).toISOString(), invite_expires_at };
}

export function publish(
  sql: Sql,
  type: EventType,
  data: UserRow,
  previous?: Record<string, unknown>,
): UserRow {
  const about = { teamId: data.team_id, type, data, sequence: data.lock_version };
  recordEvent(sql, { ...about, ...(previous && { previous }) });
  return data;
}
