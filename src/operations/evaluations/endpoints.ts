import { EvaluatedSoon } from '../../cohorts/cohort.ts';
import { checkEvaluable, markAsked } from '../../cohorts/edit.ts';
import { lockCohort } from '../../cohorts/queries.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { cohortsEvaluate } from '../catalog/cohorts-evaluate.ts';
import { executionBelow } from '../ipaas/executions/execution-below.ts';
import { startRun } from '../runs/start.ts';

const tag = 'Cohorts';
const path = '/v2/partner/cohorts';

export const evaluateCohortNow = endpoint({
  id: 'evaluateCohort',
  method: 'POST',
  path: `${path}/{id}/evaluate`,
  summary: 'Start an evaluation of a dynamic cohort; returns an execution to poll',
  description:
    'Starts an evaluation of a dynamic cohort in the background. Poll the address in Location ' +
    'until the execution has finished; then member_count is current. Static and archived ' +
    'cohorts are refused. The event cohort.evaluated is recorded at the end.',
  errors: ['invalid_state_transition', 'too_many_operations', 'precondition_failed'],
  tag,
  scope: 'partner:cohorts:execute',
  rateClass: 'execute',
  audit: 'cohort.evaluation_requested',
  status: 202,
  response: EvaluatedSoon,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}/evaluations/{execution_id}`,
  async handle({ sql, teamId, principal, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    checkEvaluable(cohort);
    const run = await startRun(sql, {
      teamId,
      principal,
      operation: cohortsEvaluate,
      surface: 'ipaas',
      source: 'inline',
      items: [{ cohort_id: cohort.id }],
      subjectId: cohort.id,
    });
    const marked = await markAsked(sql, cohort);
    return new Answer({ ...marked, execution_id: run.id }, { headers: { 'Retry-After': '1' } });
  },
});

export const getCohortEvaluation = executionBelow({
  id: 'getCohortEvaluation',
  path: `${path}/{id}/evaluations`,
  summary: 'Get the progress of an evaluation that evaluateCohort started',
  description:
    'Returns the progress of an evaluation that the operation evaluateCohort started. Until ' +
    'it has finished, the answer carries Retry-After. Executions are kept for seven days.',
  tag,
  scope: 'partner:cohorts:execute',
  operation: cohortsEvaluate,
});

export const cohortEvaluationEndpoints = [evaluateCohortNow, getCohortEvaluation];
