import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../auth/principal.ts';
import type { Sql } from '../database/client.ts';
import { waitAtCommit } from '../database/work.ts';
import type { Cleaner } from './clean.ts';

/** What an audited request did, as the pipeline saw it. */
interface Change {
  /** `<resource type>.<verb>`, from the endpoint. */
  action: string;
  principal: Principal;
  requestId: string;
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
  const { action, principal, requestId, pathId, clean, body, before, after } = change;
  const { id = pathId } = fieldsOf(after);
  const names = changedNames(fieldsOf(clean(before)), fieldsOf(clean(after)), body);
  if (before !== undefined && after !== undefined && names.length === 0) return;
  const recording = sql`
    with event as (
      insert into audit_events
        (team_id, action, resource_type, resource_id, changed_fields, client_id, request_id)
      values (${principal.teamId}, ${action}, ${action.slice(0, action.lastIndexOf('.'))},
        ${String(id)}, ${names}, ${principal.clientId}, ${requestId})
      returning team_id, id, occurred_at
    )
    insert into audit_unsealed (team_id, event_id, occurred_at) select * from event`;
  waitAtCommit(sql, recording);
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
