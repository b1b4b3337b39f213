import type { TObject } from 'typebox';
import { recordAudit } from '../platform/http/audit.ts';
import { createSerializer } from '../platform/http/response-serializer.ts';
import type { Operation, OperationCall, Outcome } from './operation-type.ts';

/** Writes what the endpoint of the same action writes into the audit trail (ADR 50). */
export function audited<Row extends object>(
  { sql, principal, trace }: OperationCall,
  { action, schema }: { action: string; schema: TObject },
  change: { before: Row; after: Row },
): Row {
  const about = { action, principal, trace, pathId: undefined, body: {} };
  recordAudit(sql, { ...about, clean: createSerializer(schema), ...change });
  return change.after;
}

const keep = (value: unknown) => value;

/** Writes one event for each resource that items changed; the items name the changed fields. */
export function auditOutcomes(
  { audit: action }: Operation,
  { sql, principal, trace }: OperationCall,
  items: readonly unknown[],
  outcomes: readonly Outcome<unknown>[],
): void {
  if (typeof action !== 'string') return;
  const changes = new Map<string, { fields: object; itemCount: number }>();
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status !== 'created' && outcome.status !== 'updated') continue;
    const item = { ...asObject(items[at]) };
    const id = resourceOf(action, item, outcome);
    const { fields, itemCount } = changes.get(id) ?? { fields: {}, itemCount: 0 };
    changes.set(id, { fields: { ...fields, ...item }, itemCount: itemCount + 1 });
  }
  for (const [id, { fields, itemCount }] of changes) {
    const about = { action, principal, trace, pathId: undefined, clean: keep };
    const after = { ...fields, id };
    recordAudit(sql, { ...about, body: fields, before: undefined, after, itemCount });
  }
}

/** The id of the outcome, or of the resource that the item names where the outcome is another's. */
function resourceOf(
  action: string,
  item: Readonly<Record<string, unknown>>,
  { resource_type, resource_id }: Exclude<Outcome<unknown>, { status: 'failed' }>,
): string {
  const requested = action.slice(0, action.lastIndexOf('.'));
  return String(resource_type === requested ? resource_id : item[`${requested}_id`]);
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
