import type { Database } from '../database/client.ts';
import type { Log } from '../log.ts';
import { insertAuditEvent } from './audit.ts';
import type { AuditEntry } from './audit.ts';
import type { ErrorCode } from './error-catalogue.ts';
import type { Subject } from './errors.ts';
import { authFailures } from './metrics.ts';
import type { Trace } from './trace.ts';

/** Codes of refusals that say something about the caller, and the actions of their audit events. */
const actions: Partial<Record<ErrorCode, string>> = {
  invalid_client: 'auth.failed',
  token_invalid: 'auth.failed',
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

/** Refused requests of one client, for one reason. */
interface Refusals extends Subject {
  action: string;
  reason: ErrorCode;
  total: number;
  /** How many came from an address, with the first of them. */
  sources: Map<string, { trace: Trace; count: number }>;
}

export interface AuthFailures {
  /** Takes a refusal, and returns at once. */
  note(reason: ErrorCode, subject: Subject | undefined, trace: Trace): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

const windowMs = 60_000;
/** Bounds of what is remembered of a window: clients with reasons, and addresses of each. */
const maxRefusals = 1_000;
const maxSources = 20;

/**
 * Counts refused credentials and scopes. A client gets one audit event for each reason and minute,
 * with the address that most of them came from: a flood neither fills the trail nor costs a write
 * for each request. What names no client of ours is in the metric and in the log only.
 */
export function createAuthFailures(database: Database, log: Log): AuthFailures {
  const waiting = new Map<string, Refusals>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const refused = [...waiting.values()];
    waiting.clear();
    if (refused.length === 0) return;
    try {
      await database.transact(async (sql) => {
        await Promise.all(refused.map((one) => insertAuditEvent(sql, entryOf(one))));
      });
    } catch (error) {
      log.warn({ err: error, events: refused.length }, 'refused requests could not be recorded');
    }
  }

  return {
    note(reason, subject, trace) {
      const action = actions[reason];
      if (action === undefined && !counted.includes(reason)) return;
      authFailures.inc({ reason });
      if (action === undefined || subject === undefined) return;
      const { teamId, clientId } = subject;
      const key = [teamId, clientId, reason].join(' ');
      const known = waiting.get(key);
      if (known) count(known, trace);
      else if (waiting.size < maxRefusals) {
        const fresh = { teamId, clientId, action, reason, total: 0, sources: new Map() };
        count(fresh, trace);
        waiting.set(key, fresh);
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        writing = writing.then(write);
      }, windowMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}

function count(refusals: Refusals, trace: Trace): void {
  refusals.total += 1;
  const { sources } = refusals;
  const source = sources.get(trace.sourceIp ?? '');
  if (source) source.count += 1;
  else if (sources.size < maxSources) sources.set(trace.sourceIp ?? '', { trace, count: 1 });
}

function entryOf({ teamId, clientId, action, reason, total, sources }: Refusals): AuditEntry {
  const [most] = [...sources.values()].sort((a, b) => b.count - a.count);
  if (!most) throw new Error('a refusal has a source');
  const about = { teamId, action, resourceId: clientId, changedFields: [], clientId };
  return { ...about, trace: most.trace, reason, occurrences: total };
}
