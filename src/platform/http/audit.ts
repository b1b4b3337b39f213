import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../auth/principal.ts';
import type { Sql } from '../database/sql.ts';
import { awaitBeforeCommit } from '../database/transaction-context.ts';
import type { Action, Audit } from './audited.ts';
import type { Cleaner } from './response-serializer.ts';
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
  /** Reason and number of refused requests. */
  reason?: string;
  occurrences?: number;
  /** Items that a bulk action or a download was about. */
  itemCount?: number | undefined;
}

/** Writes an event, which then waits for its seal. */
export function insertAuditEvent(sql: Sql, entry: AuditEntry) {
  const { teamId, action, resourceId, changedFields, clientId, trace } = entry;
  const { actor = null, reason = null, occurrences = null, itemCount = null } = entry;
  const { requestId, serverRequestId, sourceIp, userAgent } = trace;
  return sql`
    with event as (
      insert into audit_events
        (team_id, action, resource_type, resource_id, changed_fields, client_id, actor, request_id,
          server_request_id, source_ip, user_agent, reason, occurrence_count, item_count)
      values (${teamId}, ${action}, ${typeOf(action)}, ${resourceId},
        ${[...changedFields]}, ${clientId}, ${actor}, ${requestId},
        ${serverRequestId}, ${sourceIp}, ${userAgent}, ${reason}, ${occurrences},
        ${itemCount})
      returning team_id, id, occurred_at
    )
    insert into audit_unsealed (team_id, event_id, occurred_at) select * from event`;
}

/** Effect of an audited request, as the pipeline observed it. */
interface Change {
  /** `<resource type>.<verb>`, from the endpoint. */
  action: string;
  principal: Principal;
  trace: Trace;
  /** The id in the path, for a response without an id. */
  pathId: string | undefined;
  clean: Cleaner;
  body: unknown;
  /** The row that the handler locked, where there was one. */
  before: unknown;
  /** The row in the response; undefined for 204. */
  after: unknown;
  itemCount?: number | undefined;
}

/**
 * Writes who changed which fields, in the transaction of the change: names, never values. A request
 * that changed nothing leaves no line. ADR 50.
 */
export function recordAudit(sql: Sql, change: Change): void {
  const { action, principal, trace, pathId, clean, body, before, after, itemCount } = change;
  const shownBefore = fieldsOf(clean(before));
  const changedFields = changedNames(shownBefore, fieldsOf(clean(after)), body);
  // For a response of another type, only the handler can name the changed fields.
  const isCompared = Object.keys(shownBefore).length > 0 && after !== undefined;
  if (isCompared && changedFields.length === 0) return;
  const clientId = principal.clientId === '' ? null : principal.clientId;
  const resourceId = resourceOf(typeOf(action), { pathId, before, after });
  const about = { teamId: principal.teamId, action, resourceId, changedFields, itemCount };
  awaitBeforeCommit(sql, insertAuditEvent(sql, { ...about, clientId, trace }));
}

const typeOf = (action: string) => action.slice(0, action.lastIndexOf('.'));

/**
 * The id in the response, unless it is of another type; otherwise the id of the locked row or the
 * path.
 */
function resourceOf(
  resourceType: string,
  { pathId, before, after }: Pick<Change, 'pathId' | 'before' | 'after'>,
): string {
  const { id, type = resourceType } = fieldsOf(after);
  const { id: lockedId } = fieldsOf(before);
  const [found] = [type === resourceType ? id : undefined, lockedId, pathId, id].filter(
    (one) => typeof one === 'string',
  );
  if (found === undefined) throw new Error(`an audit event of ${resourceType} has no resource`);
  return found;
}

interface AuditedCall extends Pick<Change, 'principal' | 'trace' | 'pathId' | 'body'> {
  before?: unknown;
  audit: Audit | undefined;
  clean: Cleaner;
  answer: {
    body: unknown;
    isRepeat: boolean;
    isAccepted: boolean;
    itemCount: number | undefined;
  };
}

/** Writes the event that an endpoint declares for a response. A repeat has changed nothing. */
export function auditCall(sql: Sql, { audit, answer, ...change }: AuditedCall): void {
  if (answer.isRepeat) return;
  const action = writtenAction(audit, answer.isAccepted);
  if (action === undefined) return;
  const { body: after, itemCount } = answer;
  const { before } = change;
  recordAudit(sql, { ...change, action, before, after, itemCount });
}

/** The action of the event that the pipeline writes. */
function writtenAction(audit: Audit | undefined, isAccepted: boolean): Action | undefined {
  if (audit === undefined || typeof audit === 'string') return audit;
  return isAccepted && 'accepted' in audit ? audit.accepted : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a response that the request did not write. */
const unstored: ReadonlySet<string> = new Set(['updated_at', 'warnings']);

/** Shown fields that differ; of something new those that the request wrote. */
function changedNames(before: Fields, after: Fields, body: unknown): string[] {
  const isNew = Object.keys(before).length === 0;
  const written = fieldsOf(body);
  return Object.keys({ ...before, ...after })
    .filter((name) => !unstored.has(name))
    .filter((name) => (isNew ? name in written : !isDeepStrictEqual(before[name], after[name])))
    .filter(() => Object.keys(after).length > 0)
    .sort();
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
