import type { Database } from '../database/client.ts';
import type { Log } from '../observability/log.ts';
import { insertAuditEvent } from './audit.ts';
import type { AuditEntry } from './audit.ts';
import type { Trace } from './trace.ts';

/** An event that represents all similar calls of a client within a window. */
export type CountedEvent = Pick<AuditEntry, 'teamId' | 'action' | 'resourceId' | 'reason'> & {
  clientId: string;
};

interface Total extends CountedEvent {
  calls: number;
  items: number | undefined;
  /** Number of events from each address, with the trace of the first. */
  sources: Map<string, { trace: Trace; count: number }>;
}

export interface AuditCounter {
  /** Counts a call, and returns immediately. */
  count(event: CountedEvent, trace: Trace, itemCount?: number): void;
  /** Writes what was counted. */
  stop(): Promise<void>;
}

/** Bounds of what a window remembers: kinds of calls, and addresses of each. */
const maxTotals = 1_000;
const maxSources = 20;

/**
 * Counts calls that are too many for an audit event each. A client gets one event for each action
 * and window, with the address that most calls came from: it neither fills the trail nor costs a
 * write for each request.
 */
export function createAuditCounter(
  database: Database,
  log: Log,
  { windowMs }: { windowMs: number },
): AuditCounter {
  let totals = new Map<string, Total>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(counted: readonly Total[]): Promise<void> {
    try {
      await database.transact(async (sql) => {
        await Promise.all(counted.map((one) => insertAuditEvent(sql, entryOf(one))));
      });
    } catch (error) {
      log.warn({ err: error, events: counted.length }, 'counted calls could not be recorded');
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const counted = [...totals.values()];
    totals = new Map();
    if (counted.length > 0) writing = writing.then(() => write(counted));
  }

  return {
    count(event, trace, itemCount) {
      const { teamId, clientId, action, resourceId, reason } = event;
      const key = [teamId, clientId, action, resourceId, reason].join(' ');
      const total: Total = totals.get(key) ?? {
        ...event,
        calls: 0,
        items: undefined,
        sources: new Map(),
      };
      total.calls += 1;
      if (itemCount !== undefined) total.items = (total.items ?? 0) + itemCount;
      countSource(total, trace);
      totals.set(key, total);
      if (totals.size >= maxTotals) flush();
      else timer ??= setTimeout(flush, windowMs).unref();
    },
    async stop() {
      flush();
      await writing;
    },
  };
}

function countSource({ sources }: Total, trace: Trace): void {
  const source = sources.get(trace.sourceIp ?? '');
  if (source) source.count += 1;
  else if (sources.size < maxSources) sources.set(trace.sourceIp ?? '', { trace, count: 1 });
}

function entryOf({ calls, items, sources, ...event }: Total): AuditEntry {
  const [most] = [...sources.values()].sort((a, b) => b.count - a.count);
  if (!most) throw new Error('a counted call has a source');
  const counts = { occurrences: calls, itemCount: items };
  return { ...event, changedFields: [], trace: most.trace, ...counts };
}
