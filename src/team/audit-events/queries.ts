import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { AuditEvent } from './audit-event.ts';

export type AuditEventRow = Static<typeof AuditEvent>;

export function auditEventSource(teamId: string): ListSource {
  return {
    from: 'audit_events t',
    select: `t.*, 'audit_event' as type`,
    where: { text: 't.team_id = $1', values: [teamId] },
  };
}

/** The latest events of a trail, the latest first. */
export async function listLatestAuditEvents(
  sql: Sql,
  teamId: string,
  limit: number,
): Promise<AuditEventRow[]> {
  return sql<AuditEventRow[]>`
    select *, 'audit_event' as type from audit_events
    where team_id = ${teamId}
    order by occurred_at desc, id desc
    limit ${limit}`;
}

/** Throws 404. */
export async function requireAuditEvent(sql: Sql, teamId: string, id: string) {
  const [row] = await sql<AuditEventRow[]>`
    select *, 'audit_event' as type from audit_events
    where team_id = ${teamId} and id = ${id}`;
  if (row) return row;
  throw fail('not_found', { detail: 'No such audit event.', meta: { resource: 'audit_event' } });
}

/** Client and request of the last event about each of these resources, where it names a client. */
export async function findCallers(
  sql: Sql,
  resources: readonly { id: string; teamId: string }[],
): Promise<Map<string, { clientId: string; requestId: string }>> {
  const rows = await sql<{ id: string; clientId: string; requestId: string }[]>`
    select made.id, latest.client_id as "clientId", latest.request_id as "requestId"
    from unnest(${resources.map(({ teamId }) => teamId)}::uuid[],
      ${resources.map(({ id }) => id)}::uuid[]) as made (team_id, id)
    cross join lateral (
      select client_id, request_id from audit_events t
      where t.team_id = made.team_id and t.resource_id = made.id
      order by t.occurred_at desc, t.id desc
      limit 1
    ) latest
    where latest.client_id is not null`;
  return new Map(rows.map(({ id, ...caller }) => [id, caller]));
}
