import { countRows } from '../platform/database/count-rows.ts';
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { changedFields } from '../platform/events/record.ts';
import { cohortCreated, cohortUpdated } from './events.ts';
import { endpoint } from '../platform/http/endpoint.ts';
import type { Principal } from '../platform/auth/principal.ts';
import { fail, failAll } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';
import { listEndpoint } from '../platform/lists/list-endpoint.ts';
import { checkQuota } from '../platform/resources/quota.ts';
import {
  Cohort,
  CohortCreate,
  CohortPatch,
  Definition,
  Preview,
  cohortListFields,
  maxCohorts,
} from './cohort.ts';
import {
  allowedRule,
  askForEvaluation,
  checkName,
  checkReferences,
  checkUnused,
  nameTaken,
  previewDefinition,
  recordCohort,
  wakeCohort,
} from './edit.ts';
import {
  cohortSource,
  deleteCohortRow,
  insertCohort,
  lockCohort,
  requireCohort,
  updateCohortRow,
} from './queries.ts';
import type { CohortRow } from './queries.ts';
import { isKeptFresh, isPending, scheduleOf } from './rules.ts';

const tag = 'Cohorts';
const path = '/v2/partner/cohorts';
const readScope = 'partner:cohorts:read';
const writeScope = 'partner:cohorts:write';

export const listCohorts = listEndpoint({
  id: 'listCohorts',
  path,
  summary: 'List cohorts; archived ones only where a filter names is_archived',
  description:
    'Returns the cohorts of the team. Archived cohorts are returned only where a filter names ' +
    'is_archived. The members that member_count counts are those of last_evaluated_at.',
  tag,
  scope: readScope,
  item: Cohort,
  fields: cohortListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => cohortSource(teamId),
});

export const createCohort = endpoint({
  id: 'createCohort',
  method: 'POST',
  path,
  summary: 'Create a dynamic cohort with a definition, or a static cohort with a list',
  description:
    'Creates a cohort. A dynamic cohort needs a definition and is evaluated in the background ' +
    'unless its evaluation_mode is on_demand. A static cohort has no definition, and its ' +
    'members are added with the operation addCohortMembers. The name must be unique in the ' +
    'team, and a team has at most 1,000 cohorts.',
  errors: ['quota_exceeded', 'name_taken'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'cohort.created',
  bodyExample: {
    name: 'Contacts in English',
    kind: 'dynamic',
    definition: { field: 'contact.locale', op: 'starts_with', value: 'en' },
  },
  body: CohortCreate,
  status: 201,
  response: Cohort,
  location: `${path}/{id}`,
  async handle({ sql, teamId, principal, body }) {
    const { name, kind } = body;
    const definition = body.definition ?? null;
    const problems = definitionProblems(kind, definition);
    if (problems.length > 0) throw failAll(problems);
    if (definition !== null) {
      await checkReferences(sql, teamId, allowedRule(principal, definition), randomUUID());
    }
    await checkQuota(sql, teamId, {
      name: 'cohorts',
      limit: maxCohorts,
      count: countRows('cohorts'),
    });
    const cohort = await insertCohort(sql, teamId, {
      name,
      description: body.description ?? null,
      kind,
      definition,
      set_by_client_id: makerOf(principal),
      ...scheduleOf({
        kind,
        evaluation_mode: body.evaluation_mode ?? 'realtime',
        refresh_interval_seconds: body.refresh_interval_seconds ?? null,
      }),
    });
    if (!cohort) throw await nameTaken(sql, teamId, name);
    const made = isKeptFresh(cohort) ? await askForEvaluation(sql, cohort) : cohort;
    return recordCohort(sql, cohortCreated, made);
  },
});

const makerOf = ({ clientId }: Principal) => (clientId === '' ? null : clientId);

function definitionProblems(kind: CohortRow['kind'], definition: object | null): Problem[] {
  if ((kind === 'dynamic') === (definition !== null)) return [];
  const isStatic = kind === 'static';
  return [
    {
      code: 'validation_failed',
      detail: isStatic ? 'A static cohort has no definition.' : 'A dynamic cohort needs one.',
      meta: { pointer: '/definition', rule: isStatic ? 'unknown_field' : 'required' },
    },
  ];
}

export const getCohort = endpoint({
  id: 'getCohort',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a cohort',
  description:
    'Returns one cohort with the number of its members and the state of its evaluation. ' +
    'Members are listed by the operation listCohortMembers.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: Cohort,
  handle: ({ sql, teamId, params }) => requireCohort(sql, teamId, params.id),
});

export const updateCohort = endpoint({
  id: 'updateCohort',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update a cohort; a changed definition is evaluated immediately unless it is on_demand',
  description:
    'Changes the fields that the body names. The kind is fixed. A new definition is evaluated ' +
    'in the background unless the evaluation_mode is on_demand. Poll evaluation_status until ' +
    'it is ready.',
  errors: ['immutable_field', 'name_taken'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'cohort.updated',
  body: CohortPatch,
  response: Cohort,
  async handle({ sql, teamId, principal, params, body, checkPrecondition }) {
    const before = await lockCohort(sql, teamId, params.id);
    checkPrecondition(before);
    if (body.kind !== undefined && body.kind !== before.kind) {
      throw fail('immutable_field', {
        detail: 'The kind of a cohort cannot be changed.',
        meta: { pointer: '/kind' },
      });
    }
    const wanted = merged(before, body);
    const changed = changedFields(Cohort, before, { ...before, ...wanted });
    if (!changed) return before;
    const problems = definitionProblems(before.kind, wanted.definition);
    if (problems.length > 0) throw failAll(problems);
    if (changed['name'] !== undefined) await checkName(sql, before, wanted.name);
    const isRedefined = 'definition' in changed;
    if (isRedefined && wanted.definition !== null) {
      const rule = allowedRule(principal, wanted.definition);
      await checkReferences(sql, teamId, rule, before.id);
    }
    const version = before.definition_version + (isRedefined ? 1 : 0);
    // A requested evaluation is still done, even if the schedule has changed.
    const isAwaited = isKeptFresh(wanted) || isPending(before);
    const next = isAwaited ? before.next_evaluation_at : null;
    const after = await updateCohortRow(sql, before, {
      ...wanted,
      ...(isRedefined && { set_by_client_id: makerOf(principal) }),
      definition_version: version,
      next_evaluation_at: next,
    });
    const isRescheduled =
      'evaluation_mode' in changed || 'refresh_interval_seconds' in changed || isRedefined;
    const isDue = isRescheduled && isKeptFresh(after) && !after.is_archived;
    const updated = isDue ? await askForEvaluation(sql, after) : after;
    return recordCohort(sql, cohortUpdated, updated, before);
  },
});

function merged(
  before: CohortRow,
  body: {
    name?: string | undefined;
    description?: string | null | undefined;
    definition?: object | null | undefined;
    evaluation_mode?: CohortRow['evaluation_mode'] | undefined;
    refresh_interval_seconds?: number | null | undefined;
  },
) {
  const { kind } = before;
  return {
    name: body.name ?? before.name,
    description: body.description === undefined ? before.description : body.description,
    definition: body.definition === undefined ? before.definition : body.definition,
    ...scheduleOf({
      kind,
      evaluation_mode: body.evaluation_mode ?? before.evaluation_mode,
      refresh_interval_seconds:
        body.refresh_interval_seconds === undefined
          ? before.refresh_interval_seconds
          : body.refresh_interval_seconds,
    }),
  };
}

export const deleteCohort = endpoint({
  id: 'deleteCohort',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a cohort that no launched or scheduled template names',
  description:
    'Deletes a cohort permanently. A cohort that a launched or scheduled template names is ' +
    'refused with 409. The contacts themselves stay.',
  errors: ['cohort_in_use'],
  tag,
  scope: 'partner:cohorts:delete',
  rateClass: 'write',
  audit: 'cohort.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const cohort = await lockCohort(sql, teamId, params.id);
    checkPrecondition(cohort);
    await checkUnused(sql, cohort);
    if (cohort.next_evaluation_at !== null) await wakeCohort(sql, cohort);
    await deleteCohortRow(sql, cohort);
    return undefined;
  },
});

export const previewCohort = endpoint({
  id: 'previewCohort',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Count the contacts that match a definition, without saving it',
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

export const cohortEndpoints = [
  listCohorts,
  createCohort,
  getCohort,
  updateCohort,
  deleteCohort,
  previewCohort,
];
