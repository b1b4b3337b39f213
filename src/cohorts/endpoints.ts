import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { changedFields } from '../platform/events/record.ts';
import type { Principal } from '../platform/auth/principal.ts';
import { cohortArchived, cohortCreated, cohortUpdated } from './events.ts';
import { endpoint } from '../platform/http/endpoint.ts';
import { failAll } from '../platform/http/errors.ts';
import { standardEndpoints } from '../platform/resources/standard-endpoints.ts';
import { Cohort, Definition, Preview, cohortListFields, maxCohorts } from './cohort.ts';
import {
  allowedRule,
  askForEvaluation,
  checkReferences,
  checkUnused,
  previewDefinition,
  recordCohort,
  wakeCohort,
} from './edit.ts';
import { cohorts, deleteCohortRow, lockCohort } from './queries.ts';
import type { CohortRow } from './queries.ts';
import { isKeptFresh, isPending, scheduleOf } from './rules.ts';

const tag = 'Cohorts';
const path = '/v2/partner/cohorts';
const standard = standardEndpoints(
  { ...cohorts, lock: lockCohort },
  { tag, path, scope: 'partner:cohorts' },
);

export const listCohorts = standard.list({
  summary: 'List cohorts; archived ones only where a filter names is_archived',
  description:
    'Returns the cohorts of the team. Archived cohorts are returned only where a filter names ' +
    'is_archived. The members that member_count counts are those of last_evaluated_at.',
  fields: cohortListFields,
  defaultSort: '-inserted_at',
});

export const createCohort = standard.create({
  summary: 'Create a dynamic cohort with a definition, or a static cohort with a list',
  description:
    'Creates a cohort. A dynamic cohort needs a definition and is evaluated in the background ' +
    'unless its evaluation_mode is on_demand. A static cohort has no definition, and its ' +
    'members are added with the operation addCohortMembers. The name must be unique in the ' +
    'team, and a team has at most 1,000 cohorts.',
  bodyExample: {
    name: 'Contacts in English',
    kind: 'dynamic',
    definition: { field: 'contact.locale', op: 'starts_with', value: 'en' },
  },
  quota: maxCohorts,
  async handle({ sql, teamId, principal, body }) {
    const { name, description, kind, definition = null } = body;
    checkDefinition(kind, definition);
    if (definition !== null) {
      await checkReferences(sql, teamId, allowedRule(principal, definition), randomUUID());
    }
    const cohort = await cohorts.insert(sql, teamId, {
      name,
      description,
      kind,
      definition,
      set_by_client_id: makerOf(principal),
      ...scheduleOf({
        kind,
        evaluation_mode: body.evaluation_mode ?? 'realtime',
        refresh_interval_seconds: body.refresh_interval_seconds ?? null,
      }),
    });
    const made = isKeptFresh(cohort) ? await askForEvaluation(sql, cohort) : cohort;
    return recordCohort(sql, cohortCreated, made);
  },
});

const makerOf = ({ clientId }: Principal) => (clientId === '' ? null : clientId);

/** Throws 422 for a static cohort with a definition, and for a dynamic one without. */
function checkDefinition(kind: CohortRow['kind'], definition: object | null): void {
  if ((kind === 'dynamic') === (definition !== null)) return;
  const isStatic = kind === 'static';
  throw failAll([
    {
      code: 'validation_failed',
      detail: isStatic ? 'A static cohort has no definition.' : 'A dynamic cohort needs one.',
      meta: { pointer: '/definition', rule: isStatic ? 'unknown_field' : 'required' },
    },
  ]);
}

export const getCohort = standard.get({
  summary: 'Get a cohort',
  description:
    'Returns one cohort with the number of its members and the state of its evaluation. ' +
    'Members are listed by the operation listCohortMembers.',
});

export const updateCohort = standard.update({
  summary: 'Update a cohort; a changed definition is evaluated immediately unless it is on_demand',
  description:
    'Changes the fields that the body names. The kind is fixed. A new definition is evaluated ' +
    'in the background unless the evaluation_mode is on_demand. Poll evaluation_status until ' +
    'it is ready.',
  async handle({ sql, teamId, principal, body }, before) {
    const changes = cohorts.change(before, body);
    const requested = { ...changes, ...scheduleOf(changes) };
    const changed = changedFields(Cohort, before, { ...before, ...requested });
    if (!changed) return before;
    checkDefinition(before.kind, requested.definition);
    const isRedefined = 'definition' in changed;
    if (isRedefined && requested.definition !== null) {
      const rule = allowedRule(principal, requested.definition);
      await checkReferences(sql, teamId, rule, before.id);
    }
    const version = before.definition_version + (isRedefined ? 1 : 0);
    // A requested evaluation is still done, even if the schedule has changed.
    const isAwaited = isKeptFresh(requested) || isPending(before);
    const next = isAwaited ? before.next_evaluation_at : null;
    const after = await cohorts.update(sql, before, {
      ...requested,
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

export const deleteCohort = standard.delete({
  summary: 'Delete a cohort that no launched or scheduled template names',
  description:
    'Deletes a cohort permanently. A cohort that a launched or scheduled template names is ' +
    'refused with 409. The contacts themselves stay.',
  errors: ['cohort_in_use'],
  async handle({ sql }, cohort) {
    await checkUnused(sql, cohort);
    if (cohort.next_evaluation_at !== null) await wakeCohort(sql, cohort);
    await deleteCohortRow(sql, cohort);
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

export const archiveCohort = standard.archive({
  summary: 'Archive a cohort; its members are kept and it is no longer evaluated',
  description:
    'Archives a cohort. Its members stay as they are, and it is no longer evaluated. A cohort ' +
    'that a launched or scheduled template names is refused with 409. It can be unarchived.',
  errors: ['cohort_in_use'],
  async handle({ sql }, cohort) {
    await checkUnused(sql, cohort);
    if (cohort.next_evaluation_at !== null) await wakeCohort(sql, cohort);
    const known = cohort.last_evaluated_at === null ? ('never' as const) : ('ready' as const);
    const archived = await cohorts.update(sql, cohort, {
      archived_at: new Date().toISOString(),
      next_evaluation_at: null,
      // Nobody is to wait for an evaluation that does not come.
      ...(isPending(cohort) && { evaluation_status: known }),
    });
    return recordCohort(sql, cohortArchived, archived);
  },
});

export const unarchiveCohort = standard.unarchive({
  summary: 'Unarchive a cohort; it is evaluated immediately unless it is on_demand',
  description:
    'Unarchives a cohort. A dynamic cohort is then evaluated in the background ' +
    'unless its evaluation_mode is on_demand. A cohort that is not archived is refused with ' +
    '409.',
  async handle({ sql }, cohort) {
    const back = await cohorts.update(sql, cohort, { archived_at: null });
    const updated = isKeptFresh(back) ? await askForEvaluation(sql, back) : back;
    return recordCohort(sql, cohortUpdated, updated, cohort);
  },
});

export const cohortEndpoints = [
  listCohorts,
  createCohort,
  getCohort,
  updateCohort,
  deleteCohort,
  previewCohort,
];
export const cohortActionEndpoints = [archiveCohort, unarchiveCohort];
