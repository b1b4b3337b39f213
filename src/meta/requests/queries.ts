import type { Static } from 'typebox';
import type { Persons } from '../../contacts/contact-erasures/sweeping/queries.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { LoggedRequest } from './request.ts';

export type LoggedRequestRow = Static<typeof LoggedRequest>;

/**
 * Retention of a request, in days; tables are dropped by whole days, so rows stay a little longer.
 */
export const requestLogDays = 7;
const isKept = `t.occurred_at > now() - interval '${String(requestLogDays)} days'`;

export function requestSource(teamId: string): ListSource {
  return {
    from: 'request_log t',
    select: `t.*, 'logged_request' as type`,
    where: { text: `t.team_id = $1 and ${isKept}`, values: [teamId] },
  };
}

/** Deletes some rows that name erased contacts; returns their number. */
export async function deleteRequestsOf(
  sql: Sql,
  { teamId, contactIds }: Pick<Persons, 'teamId' | 'contactIds'>,
): Promise<number> {
  const rows = await sql`
    delete from request_log
    where (day, id) in (
        select day, id from request_log
        where team_id = ${teamId} and contact_ids && ${[...contactIds]}::uuid[]
        limit 500)
      and team_id = ${teamId}
    returning id`;
  return rows.length;
}

/** Search criteria of an operator. */
export interface RequestSearch {
  sinceMs: number;
  /** From one status to another, both included. */
  status?: readonly [from: number, to: number] | undefined;
  operation?: string | undefined;
  requestId?: string | undefined;
  limit: number;
}

/** Requests of a team, the latest `limit` of them, the oldest of these first. */
export async function findRequests(
  sql: Sql,
  teamId: string,
  { sinceMs, status, operation, requestId, limit }: RequestSearch,
): Promise<LoggedRequestRow[]> {
  const since = toTimestamp(sinceMs);
  const rows = await sql<LoggedRequestRow[]>`
    select t.*, 'logged_request' as type from request_log t
    where t.team_id = ${teamId} and ${sql.unsafe(isKept)} and t.occurred_at >= ${since}
      ${status ? sql`and t.status between ${status[0]} and ${status[1]}` : sql``}
      ${operation === undefined ? sql`` : sql`and t.operation = ${operation}`}
      ${requestId === undefined ? sql`` : sql`and t.request_id = ${requestId}`}
    order by t.occurred_at desc, t.id desc
    limit ${limit}`;
  return [...rows].reverse();
}
