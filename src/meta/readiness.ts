import type { Database } from '../platform/database/client.ts';
import { missingSchemaFiles } from '../platform/database/migrate.ts';
import {
  cohortChangesAge,
  databaseConnections,
  fileBytes,
  outboxAge,
  registry,
  rollupAge,
} from '../platform/http/metrics.ts';
import { maxUnsummedSeconds } from '../insights/rollups/queries.ts';
import { oldestChangeSeconds } from '../cohorts/realtime/lanes/queries.ts';
import { sumFileBytes } from '../team/queries.ts';
import { avoidSorts } from '../platform/database/planner-settings.ts';
import type { Sql } from '../platform/database/sql.ts';
import { oldestWaitingSeconds } from '../webhooks/dispatch/lanes/queries.ts';
import { setEgressMetrics } from './egress-metrics.ts';
import { oldestOutboxEntrySeconds } from '../platform/temporal/outbox.ts';

export interface Readiness {
  status: 'ok' | 'degraded' | 'unavailable';
  checks: Record<string, string>;
}

/** Age from which waiting work means that the workers or Temporal are unavailable. */
const oldAfterSeconds = 60;

/** Time for which a report is cached: anyone may request it. */
const freshMs = 1_000;
const reports = new WeakMap<Database, { atMs: number; report: Promise<Readiness> }>();

/**
 * Postgres and migrations decide. Overdue work only degrades the API, since requests can still be
 * stored. Checked at most once a second. ADR 46.
 */
export function readiness(database: Database): Promise<Readiness> {
  const nowMs = performance.now();
  const last = reports.get(database);
  if (last && nowMs - last.atMs < freshMs) return last.report;
  const report = examine(database);
  reports.set(database, { atMs: nowMs, report });
  return report;
}

async function examine(database: Database): Promise<Readiness> {
  try {
    const [missing, age] = await database.transact(
      async (sql) => [await missingSchemaFiles(sql), await outboxAgeSeconds(sql)] as const,
      { deadlineMs: 2_000 },
    );
    const isCurrent = missing.length === 0;
    const isOld = age > oldAfterSeconds;
    return {
      status: !isCurrent ? 'unavailable' : isOld ? 'degraded' : 'ok',
      checks: {
        postgres: 'ok',
        migrations: isCurrent ? 'ok' : `missing ${missing.join(', ')}: npm run migrate`,
        outbox: isOld
          ? `oldest work waits ${String(Math.round(age))} s: is a worker running?`
          : 'ok',
      },
    };
  } catch {
    return { status: 'unavailable', checks: { postgres: 'does not answer' } };
  }
}

/** The metrics of this process in Prometheus format, with figures that are read on each request. */
export async function scrapeMetrics(database: Database): Promise<string> {
  setEgressMetrics();
  for (const [state, count] of Object.entries(database.load())) {
    databaseConnections.set({ state }, count);
  }
  await database.transact(outboxAgeSeconds).catch(() => undefined);
  await database
    .read(async (sql) => {
      cohortChangesAge.set(await oldestChangeSeconds(sql));
      rollupAge.set(await maxUnsummedSeconds(sql));
      fileBytes.set(await sumFileBytes(sql));
    })
    .catch(() => undefined);
  return registry.metrics();
}

/** Age of the oldest unclaimed outbox entry or first attempt; also a metric. For a transaction. */
async function outboxAgeSeconds(sql: Sql): Promise<number> {
  await avoidSorts(sql);
  const age = Math.max(await oldestOutboxEntrySeconds(sql), await oldestWaitingSeconds(sql));
  outboxAge.set(age);
  return age;
}
