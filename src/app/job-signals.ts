import type { Job } from '../platform/jobs/job.ts';
import { changedSignal, jobId } from '../platform/jobs/shape.ts';
import type { JobShape } from '../platform/jobs/shape.ts';
import type { Sql } from '../platform/database/sql.ts';
import { findCallers } from '../team/audit-events/queries.ts';
import { claimOutboxEntries } from '../platform/temporal/outbox.ts';
import type { SignalSource, WorkflowSignal } from '../platform/temporal/relay.ts';
import { jobs } from '../../workflows/jobs.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';

const signalsPerRound = 500;

/** A signal, with the workflow and the row for which the audit trail may name a caller. */
interface Signal extends WorkflowSignal {
  row?: { id: string; teamId: string };
}

function signalTo(shape: JobShape, id: string, teamId: string): Signal {
  const { workflow, summary, resource, isRequested, attribute } = shape;
  return {
    type: workflow,
    signal: changedSignal,
    summary,
    outboxIds: [],
    id: jobId(shape, id),
    taskQueue: taskQueues.main,
    args: { teamId, id },
    details: `API resource: \`${resource(id)}\` of team \`${teamId}\`.`,
    memo: { teamId, resource: resource(id) },
    searchAttributes: [
      { key: searchAttributes.teamId, value: teamId },
      ...(attribute ? [{ key: searchAttributes[attribute], value: id }] : []),
    ],
    ...(isRequested && { row: { id, teamId } }),
  };
}

/** Adds the ids of the client and of its request to the memos. */
async function withCallers(sql: Sql, signals: readonly Signal[]): Promise<WorkflowSignal[]> {
  const rows = signals.flatMap(({ row }) => (row ? [row] : []));
  const callers = rows.length > 0 ? await findCallers(sql, rows) : new Map<string, never>();
  return signals.map(({ row, ...signal }) => {
    const caller = row && callers.get(row.id);
    return caller ? { ...signal, memo: { ...signal.memo, ...caller } } : signal;
  });
}

const shapes = new Map(jobs.map((shape) => [shape.name, shape]));

/** Signals of outbox entries, one per workflow. */
export const outboxSignals: SignalSource = (database) =>
  database.read(async (sql) => {
    const folded = new Map<string, Signal>();
    for (const entry of await claimOutboxEntries(sql, signalsPerRound)) {
      const { id, workflow, key, team_id, traceparent } = entry;
      const shape = shapes.get(workflow);
      // A worker of a later version knows it.
      if (!shape) continue;
      const signal = folded.get(`${workflow} ${key}`) ?? signalTo(shape, key, team_id);
      folded.set(`${workflow} ${key}`, signal);
      signal.outboxIds.push(id);
      if (traceparent !== null) (signal.traceparents ??= []).push(traceparent);
    }
    return withCallers(sql, [...folded.values()]);
  });

/** Signals of rows whose workflow may not be running. */
export function overdueSignals(work: readonly Job[]): SignalSource[] {
  return work.flatMap(({ shape, overdue }) =>
    overdue.map((list): SignalSource => async (database) => {
      const rows = await list(database, signalsPerRound);
      const signals = rows.map((row) => signalTo(row.shape ?? shape, row.id, row.team_id));
      return signals.length > 0 ? database.read((sql) => withCallers(sql, signals)) : [];
    }),
  );
}
