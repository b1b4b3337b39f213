import { ApplicationFailure } from '@temporalio/activity';
import type { Database } from '../src/platform/database/client.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { insertAuditEvent } from '../src/platform/http/audit.ts';
import { traceOfRun } from '../src/platform/http/trace.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import type { Answer, JobTarget, OperatorRequest } from '../src/platform/jobs/shape.ts';

interface CancelRequest extends JobTarget {
  /** Type of the workflow. */
  workflow: string;
}

interface UpdateRequest extends CancelRequest {
  update: string;
  request: OperatorRequest;
}

export type OperatorActivities = ReturnType<typeof createOperatorActivities>;

/** Temporal does not pass on who made a cancellation request. */
const unknown = { operator: 'operator' };

/** Changes that operators make in Temporal, each with its event of the audit trail. */
export function createOperatorActivities(database: Database, jobs: readonly Job[]) {
  function jobOf(workflow: string): Job {
    const job = jobs.find(({ shape }) => shape.workflow === workflow);
    if (job) return job;
    throw ApplicationFailure.nonRetryable('The version of the worker has no such job.');
  }

  return {
    /**
     * Cancels the row of a workflow; one that has ended stays. It sends no signal: the workflow
     * knows already, and one that has ended meanwhile would start again.
     */
    cancelRow: ({ workflow, ...target }: CancelRequest): Promise<void> =>
      database.transact(async (sql) => {
        const type = await jobOf(workflow).cancel?.(sql, target);
        if (type === undefined) return;
        await record(sql, target, unknown, { action: `${type}.canceled` }, ['status']);
      }),

    /** An exception would lose its text on the way to Temporal: refusals are returned. */
    updateRow: ({ workflow, update, request, ...target }: UpdateRequest): Promise<Answer> =>
      database.transact(async (sql) => {
        const apply = jobOf(workflow).updates?.[update];
        if (!apply) throw ApplicationFailure.nonRetryable('The job has no such update.');
        const answer = await apply(sql, target, request);
        if ('refusal' in answer) return answer;
        await record(sql, target, request, answer, answer.changedFields);
        return { done: answer.done };
      }),
  };
}

async function record(
  sql: Sql,
  { teamId, id }: JobTarget,
  { operator, reason }: OperatorRequest,
  { action }: { action: string },
  changedFields: readonly string[] = [],
): Promise<void> {
  await insertAuditEvent(sql, {
    teamId,
    action,
    resourceId: id,
    changedFields,
    clientId: null,
    actor: `${operator}@temporal`,
    ...(reason !== undefined && { reason }),
    trace: traceOfRun(id),
  });
}
