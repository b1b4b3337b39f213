import { cohortArchived, cohortUpdated } from '../events.ts';
import { Type } from 'typebox';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { cohortsEvaluate } from '../../operations/catalog/cohorts-evaluate.ts';
import { executionBelow } from '../../operations/ipaas/executions/execution-below.ts';
import { startRun } from '../../operations/runs/start.ts';
import { Cohort, Definition, EvaluatedSoon, Preview } from '../cohort.ts';
import {
  askForEvaluation,
  checkEvaluable,
  checkUnused,
  illegalAction,
  markAsked,
  previewDefinition,
  recordCohort,
  wakeCohort,
} from '../edit.ts';
import { lockCohort, updateCohortRow } from '../queries.ts';
import { isKeptFresh, isPending } from '../rules.ts';

const tag = 'Cohorts';
const path = '/v2/partner/cohorts';
const scope = 'partner:cohorts:write';

export const previewCohort = endpoint({
  id: 'previewCohort',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Count the contacts that a definition means, without keeping it',
  description:
    'Counts the contacts that match a definition, without storing anything. Use it to check a ' +
    'definition before you create or change a cohort. It needs the read scopes of what the ' +
    'rules ask about, such as partner:contacts:read.',
  tag,
  scope: 'partner:cohorts:execute',
  rateClass: 'execute',
  audit: { none: 'question' },
  body: Type.Object({ definition: Definition }, { additionalProperties: false }),
  response: Preview,
  handle: ({ sql, principal, body }) => previewDefinition(sql, principal, body.definition),
});

export const evaluateCohortNow = endpoint({
  id: 'evaluateCohort',
  method: 'POST',
  path: `${path}/{id}/evaluate`,
  summary: 'Evaluate a dynamic cohort, by an execution that can be polled',
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
  location: `${path}/{id}/evaluations/{execution_id}`,
  async handle({ sql, teamId, principal, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    checkEvaluable(cohort);
    const run = await startRun(sql, {
      ...{ teamId, principal, operation: cohortsEvaluate },
      ...{ surface: 'ipaas', source: 'inline' },
      items: [{ cohort_id: cohort.id }],
      subjectId: cohort.id,
    });
    const asked = await markAsked(sql, cohort);
    return new Answer({ ...asked, execution_id: run.id }, { headers: { 'Retry-After': '1' } });
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

export const archiveCohort = endpoint({
  id: 'archiveCohort',
  method: 'POST',
  path: `${path}/{id}/archive`,
  summary: 'Archive a cohort: its members stay as they are, and it is evaluated no more',
  description:
    'Archives a cohort. Its members stay as they are, and it is evaluated no more. A cohort ' +
    'that a launched or scheduled template names is refused with 409. It can be taken out of ' +
    'the archive.',
  errors: ['invalid_state_transition', 'cohort_in_use', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  audit: 'cohort.archived',
  response: Cohort,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    if (cohort.is_archived) throw illegalAction(cohort, 'archive');
    await checkUnused(sql, cohort);
    if (cohort.next_evaluation_at !== null) await wakeCohort(sql, cohort);
    const known = cohort.last_evaluated_at === null ? ('never' as const) : ('ready' as const);
    const archived = await updateCohortRow(sql, cohort, {
      archived_at: new Date().toISOString(),
      next_evaluation_at: null,
      // Nobody is to wait for an evaluation that does not come.
      ...(isPending(cohort) && { evaluation_status: known }),
    });
    return recordCohort(sql, cohortArchived, archived);
  },
});

export const unarchiveCohort = endpoint({
  id: 'unarchiveCohort',
  method: 'POST',
  path: `${path}/{id}/unarchive`,
  summary: 'Take a cohort out of the archive; it is evaluated at once unless it is on_demand',
  description:
    'Takes a cohort out of the archive. A dynamic cohort is then evaluated in the background ' +
    'unless its evaluation_mode is on_demand. A cohort that is not archived is refused with ' +
    '409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  audit: 'cohort.unarchived',
  response: Cohort,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    if (!cohort.is_archived) throw illegalAction(cohort, 'unarchive');
    const back = await updateCohortRow(sql, cohort, { archived_at: null });
    const updated = isKeptFresh(back) ? await askForEvaluation(sql, back) : back;
    return recordCohort(sql, cohortUpdated, updated, cohort);
  },
});

export const cohortActionEndpoints = [
  previewCohort,
  evaluateCohortNow,
  getCohortEvaluation,
  archiveCohort,
  unarchiveCohort,
];
