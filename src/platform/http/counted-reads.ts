import type { AuditCounter } from './audit-counter.ts';
import type { Endpoint } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';
import type { StoredAnswer } from './idempotency.ts';

/** Period for which reads of a client are counted into one audit event. */
export const readWindowMs = 600_000;

/** Counts a read of personal data, with the number of rows in the response. ADR 50b. */
export function countRead(
  counter: AuditCounter,
  { audit, list }: Endpoint,
  { principal, search, trace }: RequestContext,
  { shown }: StoredAnswer,
): void {
  const actions = new Set<string>();
  if (typeof audit === 'object' && 'counted' in audit) actions.add(audit.counted);
  if (list && search.get('include')?.split(',').includes('contact')) actions.add('contact.read');
  if (showsBirthDate(shown)) actions.add('contact.birth_date_read');
  const { teamId, clientId } = principal;
  for (const action of actions) {
    counter.count({ teamId, clientId, action, resourceId: clientId }, trace, rowsOf(shown));
  }
}

function rowsOf(shown: unknown): number {
  const isList = typeof shown === 'object' && shown !== null && 'data' in shown;
  return isList && Array.isArray(shown.data) ? shown.data.length : 1;
}

/** The date of birth is shown to tokens with a scope of its own, of one contact at a time. */
function showsBirthDate(shown: unknown): boolean {
  return typeof shown === 'object' && shown !== null && 'date_of_birth' in shown;
}
