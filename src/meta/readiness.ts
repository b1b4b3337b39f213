import type { Database } from '../platform/database/client.ts';
import { missingSchemaFiles } from '../platform/database/migrate.ts';
import {
  databaseConnections,
  fileBytes,
  laneAge,
  outboxAge,
  parkedRows,
  registry,
  rollupAge,
} from '../platform/http/metrics.ts';
import { maxUnsummedSeconds } from '../insights/rollups/queries.ts';
import { overdueLanes as overdueCohortLanes } from '../cohorts/realtime/lanes/queries.ts';
import { overdueLanes as overdueJourneyLanes } from '../journeys/lanes/queries.ts';
import { countParked } from '../platform/database/parked-rows.ts';
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
    const [missing, age, lanes] = await database.transact(
      async (sql) => {
        const missingFiles = await missingSchemaFiles(sql);
        const seconds = await outboxAgeSeconds(sql);
        return [missingFiles, seconds, await overdueLanes(sql)] as const;
      },
      { deadlineMs: 2_000 },
    );
    const isCurrent = missing.length === 0;
    const late = lanes.filter(({ seconds }) => seconds > oldAfterSeconds);
    const isOld = age > oldAfterSeconds || late.length > 0;
    return {
      status: !isCurrent ? 'unavailable' : isOld ? 'degraded' : 'ok',
      checks: {
        postgres: 'ok',
        migrations: isCurrent ? 'ok' : `missing ${missing.join(', ')}: npm run migrate`,
        lanes:
          late
            .map(
              ({ kind, lane, seconds }) =>
                `${kind} lane ${String(lane)}: the oldest due row waits ${String(Math.round(seconds))} s`,
            )
            .join('; ') || 'ok',
        outbox:
          age > oldAfterSeconds
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
      await overdueLanes(sql);
      parkedRows.reset();
      for (const { loop, count } of await countParked(sql)) parkedRows.set({ loop }, count);
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

/** Lanes with due rows, and for how long the oldest of each waits; also a metric. */
async function overdueLanes(sql: Sql) {
  const found = [
    ...(await overdueJourneyLanes(sql)).map((one) => ({ kind: 'journey', ...one })),
    ...(await overdueCohortLanes(sql)).map((one) => ({ kind: 'cohort', ...one })),
  ];
  laneAge.reset();
  for (const kind of ['journey', 'cohort']) {
    const ages = found.filter((one) => one.kind === kind).map(({ seconds }) => seconds);
    laneAge.set({ kind }, Math.max(0, ...ages));
  }
  return found;
}
