import { cohortArchived, cohortUpdated } from '../events.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { Cohort } from '../cohort.ts';
import { askForEvaluation, checkUnused, illegalAction, recordCohort, wakeCohort } from '../edit.ts';
import { lockCohort, updateCohortRow } from '../queries.ts';
import { isKeptFresh, isPending } from '../rules.ts';

const tag = 'Cohorts';
const path = '/v2/partner/cohorts';
const scope = 'partner:cohorts:write';

export const archiveCohort = endpoint({
  id: 'archiveCohort',
  method: 'POST',
  path: `${path}/{id}/archive`,
  summary: 'Archive a cohort; its members are kept and it is no longer evaluated',
  description:
    'Archives a cohort. Its members stay as they are, and it is no longer evaluated. A cohort ' +
    'that a launched or scheduled template names is refused with 409. It can be unarchived.',
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
  summary: 'Unarchive a cohort; it is evaluated immediately unless it is on_demand',
  description:
    'Unarchives a cohort. A dynamic cohort is then evaluated in the background ' +
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

export const cohortActionEndpoints = [archiveCohort, unarchiveCohort];
