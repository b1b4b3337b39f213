import type { Database } from '../database/client.ts';
import type { Log } from '../observability/log.ts';
import { createAuditCounter } from './audit-counter.ts';
import type { ErrorCode } from './error-catalog.ts';
import type { Subject } from './errors.ts';
import { authFailures } from './metrics.ts';
import type { Trace } from './trace.ts';

/** Codes of rejections that concern the caller, and the actions of their audit events. */
const actions: Partial<Record<ErrorCode, string>> = {
  invalid_client: 'auth.failed',
  token_invalid: 'auth.failed',
  address_not_allowed: 'auth.failed',
  token_kind_not_allowed: 'auth.failed',
  scope_missing: 'auth.scope_refused',
};
/** Counted without an event: every client has expired tokens, and the others name no client. */
const counted: readonly ErrorCode[] = [
  'token_expired',
  'token_missing',
  'token_in_query_rejected',
  'session_expired',
];

export interface AuthFailures {
  /** Records a rejection, and returns immediately. */
  record(reason: ErrorCode, subject: Subject | undefined, trace: Trace): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

const windowMs = 60_000;

/**
 * Counts refused credentials and scopes, with one audit event for each client, reason and minute.
 * Refusals that name no client are in the metric and in the log only.
 */
export function createAuthFailures(database: Database, log: Log): AuthFailures {
  const counter = createAuditCounter(database, log, { windowMs });
  return {
    record(reason, subject, trace) {
      const action = actions[reason];
      if (action === undefined && !counted.includes(reason)) return;
      authFailures.inc({ reason });
      if (action === undefined || subject === undefined) return;
      const { teamId, clientId } = subject;
      counter.count({ teamId, clientId, action, resourceId: clientId, reason }, trace);
    },
    stop: () => counter.stop(),
  };
}
