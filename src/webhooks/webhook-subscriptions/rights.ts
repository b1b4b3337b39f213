import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { deprecatedAmong, recordDeprecationNotices } from '../deprecations/notices.ts';
import { recordAudit } from '../../platform/http/audit.ts';
import type { Trace } from '../../platform/http/trace.ts';
import type { SubscriptionRow } from './queries.ts';

/** The client that sets a target, with its read scopes; other events are sent there thin. */
export const rightsOf = ({ clientId, scopes }: Principal) => ({
  read_scopes: [...scopes].filter((scope) => scope.endsWith(':read')).sort(),
  set_by_client_id: clientId === '' ? null : clientId,
});

/**
 * Records an audit event with the events that are sent to an address, full or thin, and the notices
 * of deprecated types among them.
 */
export async function recordEventTypes(
  sql: Sql,
  principal: Principal,
  trace: Trace,
  { id, event_types, thin_event_types }: SubscriptionRow,
): Promise<void> {
  const thin = thin_event_types.map(({ event_type }) => `thin:${event_type}`);
  const names = Object.fromEntries([...event_types, ...thin].map((name) => [name, true]));
  recordAudit(sql, {
    action: 'webhook_subscription.event_types_set',
    principal,
    trace,
    pathId: id,
    clean: (value: unknown) => value,
    body: names,
    before: undefined,
    after: names,
  });
  await recordDeprecationNotices(sql, principal.teamId, deprecatedAmong(event_types));
}
