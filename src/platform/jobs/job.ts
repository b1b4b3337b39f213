import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import type { Log } from '../observability/log.ts';
import { withHeartbeat } from '../temporal/heartbeat.ts';
import { failAfterAttempts } from '../temporal/retry-limit.ts';
import type {
  Answer,
  JobResult,
  JobShape,
  JobTarget,
  LaneArguments,
  LaneReport,
  LaneShape,
  OperatorRequest,
  Round,
  RoundRequest,
  ShownValues,
} from './shape.ts';

/** The work of a background job of a row. */
export interface Job<State = unknown> {
  shape: JobShape;
  /**
   * Does what is due to the row, and returns what follows. It may be repeated, and may be cut off at
   * any moment: what it has done is in the row. `show` gives operators the progress meanwhile.
   */
  round(request: RoundRequest<State>, show: (progress: object) => void): Promise<Round<State>>;
  /** Ends the row after five attempts whose fault is not the infrastructure's. */
  giveUp?: (target: JobTarget) => Promise<Round<State>>;
  /** Rows that are due and untouched: their workflow may have been lost, and is signaled. */
  overdue: readonly OverdueRows[];
  /** Cancels an open row for an operator, in one transaction; the type of its resource if it was. */
  cancel?(sql: Sql, target: JobTarget): Promise<string | undefined>;
  /** Changes the row as an Update of the shape asks, in one transaction. */
  updates?: Readonly<
    Record<string, (sql: Sql, target: JobTarget, request: OperatorRequest) => Promise<Update>>
  >;
}

/** The answer to an operator, and the event of the audit trail where something was done. */
export type Update =
  | Extract<Answer, { refusal: string }>
  | (Extract<Answer, { done: string }> & { action: string; changedFields?: string[] });

/** A row whose workflow is signaled. */
export interface OverdueRow {
  id: string;
  team_id: string;
  /** Where it is another shape of the same work. */
  shape?: JobShape;
}

/** Lists at most so many rows. */
export type OverdueRows = (database: Database, most: number) => Promise<readonly OverdueRow[]>;

/** Rows that a query lists as untouched for so many seconds. */
export function untouchedFor(
  seconds: number,
  list: (sql: Sql, ms: number, most: number) => Promise<readonly OverdueRow[]>,
): OverdueRows {
  return (database, most) => database.read((sql) => list(sql, seconds * 1_000, most));
}

/** The activity of a job. */
export function roundActivity(job: Job, log: Log) {
  return async (request: RoundRequest<unknown>): Promise<Round<unknown>> => {
    const work = () => withProgress((show) => job.round(request, show));
    const { giveUp } = job;
    if (!giveUp) return work();
    const { teamId, id } = request;
    return failAfterAttempts(work, (error) => {
      const { name } = job.shape;
      log.error({ err: error, job: name, team_id: teamId, row_id: id }, 'a job is given up');
      return giveUp({ teamId, id });
    });
  };
}

/** Runs work with heartbeats, which have what it has shown last. */
export function withProgress<Result>(
  work: (show: (progress: object) => void) => Promise<Result>,
): Promise<Result> {
  let progress: object | undefined;
  const show = (now: object) => {
    progress = now;
  };
  return withHeartbeat(
    () => work(show),
    () => progress,
  );
}

/** Begins the next round at once. */
export function again<State>(details: string, more: More<State> = {}): Round<State> {
  return { details, ...more, next: { kind: 'again' } };
}

/** Begins the next round at a time in epoch ms, or when a change is signaled. */
export function waitUntil<State>(
  atMs: number,
  summary: string,
  details: string,
  more: More<State> = {},
): Round<State> {
  return { details, ...more, next: { kind: 'wait', atMs, summary } };
}

/** Ends the workflow, unless a change was signaled during the round. */
export function endUnlessSignaled<State>(
  result: JobResult,
  details: string,
  more: More<State> = {},
): Round<State> {
  return { details, ...more, next: { kind: 'end', result, unlessSignaled: true } };
}

/** Ends the workflow of a row that nothing can bring back; as failed where that is its outcome. */
export function end<State>(
  result: JobResult,
  details: string,
  more: More<State> = {},
): Round<State> {
  const isFailed = result.outcome === 'failed';
  return { details, ...more, next: { kind: 'end', result, ...(isFailed && { isFailed }) } };
}

interface More<State> {
  shown?: ShownValues;
  state?: State;
}

/** The work of a kind of lanes. */
export interface Lane {
  shape: LaneShape;
  /** Processes one lane until nothing has been due for a while. It may be cut off at any moment. */
  drain(args: LaneArguments): Promise<LaneReport>;
}

/** The report of a drain. `counts` go on from those of the drain before. */
export function reportOf({
  teams,
  before,
  details,
  ...found
}: Omit<LaneReport, 'teams'> & {
  teams: Record<string, number>;
  before: LaneReport | undefined;
}): LaneReport {
  // A drain that found nothing to do says nothing new.
  const busiest = listCounts(teams) === '' ? before?.teams : teams;
  if (!busiest) return { ...found, details };
  const line = `${details} Busiest teams: ${listCounts(busiest)}.`;
  return { ...found, details: line, teams: busiest };
}

/** Counts by name as text, the largest first; those of 0 are left out. */
export function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${String(count)} ${name}`)
    .join(', ');
}
