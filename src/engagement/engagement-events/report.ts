import type { Sql } from '../../platform/database/sql.ts';
import type { Span } from '../../platform/observability/span.ts';
import { HttpError, fail, failAll, withPointerPrefix } from '../../platform/http/errors.ts';
import { maxReported } from './engagement-event.ts';
import type { ReportedEvent } from './engagement-event.ts';
import { recordEngagement, traceEvents } from './record.ts';
import type { EventToRecord, Recorded } from './record.ts';
import { resolveReferences } from './references.ts';
import { reportProblems } from './rules.ts';

/** Number of events up to which a request may share a transaction with others. */
export const smallReportSize = 10;

/**
 * Records the events of reports, those of one report all or none. Returns for each report its
 * receipt, or the problems of its events.
 */
export async function reportEngagement(
  sql: Sql,
  teamId: string,
  reports: readonly (readonly ReportedEvent[])[],
  spans: readonly (Span | undefined)[],
) {
  const checked = await checkReports(sql, teamId, reports);
  const recorded = await recordEngagement(
    sql,
    teamId,
    checked.flatMap((report, at) =>
      report instanceof HttpError ? [] : traceEvents(sql, report, spans[at]),
    ),
  );
  return checked.map((report) =>
    report instanceof HttpError ? report : receiptOf(recorded.splice(0, report.length)),
  );
}

/** The events of each report as they are stored, or the problems of all of them. */
async function checkReports(
  sql: Sql,
  teamId: string,
  reports: readonly (readonly ReportedEvent[])[],
): Promise<(EventToRecord[] | HttpError)[]> {
  const nowMs = Date.now();
  const now = new Date(nowMs).toISOString();
  const small = reports.filter(({ length }) => length <= maxReported);
  const about = { now, source: 'api' } as const;
  const resolved = await resolveReferences(sql, teamId, small.flat(), about);
  return reports.map((report) => {
    if (report.length > maxReported) return tooMany();
    const events = resolved.splice(0, report.length);
    const problems = report.flatMap((event, index) =>
      [...reportProblems(event, nowMs), ...(events[index]?.problems ?? [])].map((problem) =>
        withPointerPrefix(problem, `/events/${String(index)}`),
      ),
    );
    return problems.length > 0 ? failAll(problems) : events.map(({ event }) => event);
  });
}

function tooMany() {
  return fail('too_many_items', {
    detail: `A request takes at most ${String(maxReported)} events.`,
    meta: { pointer: '/events', max: maxReported },
  });
}

/** The answer to a request, from what was recorded of its events. */
export function receiptOf(data: readonly Recorded[]) {
  const accepted = data.filter(({ status }) => status === 'created').length;
  return {
    accepted,
    duplicates: data.length - accepted,
    data: data.map((recorded, index) => ({ index, ...recorded })),
  };
}
