import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../auth/principal.ts';
import type { Sql } from '../database/client.ts';
import { waitAtCommit } from '../database/work.ts';
import type { Cleaner } from './clean.ts';
import type { Trace } from './trace.ts';

/** Team id of the trail of the whole installation: keys, and what concerns no team. */
export const installationTrail = '00000000-0000-0000-0000-000000000000';

/** An audit event as it is written. */
export interface AuditEntry {
  teamId: string;
  /** `<resource type>.<verb>` */
  action: string;
  resourceId: string;
  /** Names, never values. */
  changedFields: readonly string[];
  /** Null where no client acted. */
  clientId: string | null;
  /** The operator who ran an admin command. */
  actor?: string;
  trace: Trace;
  /** Of refused requests: why, and how many there were. */
  reason?: string;
  occurrences?: number;
}

/** Writes an event, which then waits for its seal. */
export function insertAuditEvent(sql: Sql, entry: AuditEntry) {
  const { teamId, action, resourceId, changedFields, clientId, trace } = entry;
  const { actor = null, reason = null, occurrences = null } = entry;
  const { requestId, serverRequestId, sourceIp, userAgent } = trace;
  return sql`
    with event as (
      insert into audit_events
        (team_id, action, resource_type, resource_id, changed_fields, client_id, actor, request_id,
          server_request_id, source_ip, user_agent, reason, occurrence_count)
      values (${teamId}, ${action}, ${action.slice(0, action.lastIndexOf('.'))}, ${resourceId},
        ${[...changedFields]}, ${clientId}, ${actor}, ${requestId},
        ${serverRequestId}, ${sourceIp}, ${userAgent}, ${reason}, ${occurrences})
      returning team_id, id, occurred_at
    )
    insert into audit_unsealed (team_id, event_id, occurred_at) select * from event`;
}

/** What an audited request did, as the pipeline saw it. */
interface Change {
  /** `<resource type>.<verb>`, from the endpoint. */
  action: string;
  principal: Principal;
  trace: Trace;
  /** The id in the path, where the answer has none. */
  pathId: string | undefined;
  clean: Cleaner;
  body: unknown;
  /** The row that the handler locked, where there was one. */
  before: unknown;
  /** The row that it answers; undefined for 204. */
  after: unknown;
}

/**
 * Writes who changed which fields, in the transaction of the change: names, never values. A request
 * that changed nothing leaves no line. DECISIONS 50.
 */
export function recordAudit(sql: Sql, change: Change): void {
  const { action, principal, trace, pathId, clean, body, before, after } = change;
  const { id = pathId } = fieldsOf(after);
  const changedFields = changedNames(fieldsOf(clean(before)), fieldsOf(clean(after)), body);
  if (before !== undefined && after !== undefined && changedFields.length === 0) return;
  const clientId = principal.clientId === '' ? null : principal.clientId;
  const about = { teamId: principal.teamId, action, resourceId: String(id), changedFields };
  waitAtCommit(sql, insertAuditEvent(sql, { ...about, clientId, trace }));
}

type Fields = Readonly<Record<string, unknown>>;

/** Shown fields that differ; of something new those that the request wrote. */
function changedNames(before: Fields, after: Fields, body: unknown): string[] {
  const isNew = Object.keys(before).length === 0;
  const written = fieldsOf(body);
  return Object.keys({ ...before, ...after })
    .filter((name) => name !== 'updated_at')
    .filter((name) => (isNew ? name in written : !isDeepStrictEqual(before[name], after[name])))
    .filter(() => Object.keys(after).length > 0)
    .sort();
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
