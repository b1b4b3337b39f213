import { Type } from 'typebox';
import { Answer, endpoint } from '../../../http/endpoint.ts';
import { fail } from '../../../http/errors.ts';
import { Cohort, Definition, Preview } from '../cohort.ts';
import { askForEvaluation, checkUnused, previewDefinition, wakeCohort } from '../edit.ts';
import { lockCohort, updateCohortRow } from '../queries.ts';
import type { CohortRow } from '../queries.ts';
import { isKeptFresh, isPending } from '../rules.ts';

const tag = 'Cohorts';
const path = '/v2/partner/cohorts';
const scope = 'partner:cohorts:write';

export const previewCohort = endpoint({
  id: 'previewCohort',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Count the contacts that a definition means, without keeping it',
  tag,
  scope: 'partner:cohorts:execute',
  rateClass: 'execute',
  body: Type.Object({ definition: Definition }, { additionalProperties: false }),
  response: Preview,
  handle: ({ sql, teamId, body }) => previewDefinition(sql, teamId, body.definition),
});

export const evaluateCohortNow = endpoint({
  id: 'evaluateCohort',
  method: 'POST',
  path: `${path}/{id}/evaluate`,
  summary: 'Have the members of a dynamic cohort found anew; poll it until it is ready',
  tag,
  scope: 'partner:cohorts:execute',
  rateClass: 'execute',
  status: 202,
  response: Cohort,
  location: `${path}/{id}`,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    if (cohort.kind === 'static' || cohort.is_archived) throw illegal(cohort, 'evaluate');
    return new Answer(await askForEvaluation(sql, cohort), { headers: { 'Retry-After': '1' } });
  },
});

export const archiveCohort = endpoint({
  id: 'archiveCohort',
  method: 'POST',
  path: `${path}/{id}/archive`,
  summary: 'Archive a cohort: its members stay as they are, and it is evaluated no more',
  tag,
  scope,
  rateClass: 'execute',
  response: Cohort,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    if (cohort.is_archived) throw illegal(cohort, 'archive');
    await checkUnused(sql, cohort);
    if (cohort.next_evaluation_at !== null) await wakeCohort(sql, cohort);
    const known = cohort.last_evaluated_at === null ? ('never' as const) : ('ready' as const);
    return updateCohortRow(sql, cohort, {
      archived_at: new Date().toISOString(),
      next_evaluation_at: null,
      // Nobody is to wait for an evaluation that does not come.
      ...(isPending(cohort) && { evaluation_status: known }),
    });
  },
});

export const unarchiveCohort = endpoint({
  id: 'unarchiveCohort',
  method: 'POST',
  path: `${path}/{id}/unarchive`,
  summary: 'Take a cohort out of the archive; it is evaluated at once unless it is on_demand',
  tag,
  scope,
  rateClass: 'execute',
  response: Cohort,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    if (!cohort.is_archived) throw illegal(cohort, 'unarchive');
    const back = await updateCohortRow(sql, cohort, { archived_at: null });
    return isKeptFresh(back) ? askForEvaluation(sql, back) : back;
  },
});

function illegal({ kind, is_archived: isArchived }: CohortRow, action: string) {
  const state = isArchived ? 'archived' : kind === 'static' ? 'static' : 'active';
  const allowed = isArchived
    ? ['unarchive']
    : ['archive', ...(kind === 'dynamic' ? ['evaluate'] : [])];
  return fail('invalid_state_transition', {
    detail: `A cohort that is ${state} does not allow the action ${action}.`,
    meta: { resource: 'cohort', state, action, allowed_actions: allowed },
  });
}

export const cohortActionEndpoints = [
  previewCohort,
  evaluateCohortNow,
  archiveCohort,
  unarchiveCohort,
];
