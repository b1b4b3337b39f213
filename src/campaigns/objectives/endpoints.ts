import { countRows } from '../../platform/database/count-rows.ts';
import type { Static } from 'typebox';
import { changedFields } from '../../platform/events/record.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { checkQuota } from '../../team/quota.ts';
import {
  Objective,
  ObjectiveCreate,
  ObjectivePatch,
  maxObjectives,
  objectiveCategories,
} from './objective.ts';
import {
  deleteObjectiveRow,
  findObjectiveByKey,
  insertObjective,
  isObjectiveUsed,
  lockObjective,
  objectiveSource,
  requireObjective,
  updateObjectiveRow,
} from './queries.ts';
import type { NewObjective, ObjectiveRow } from './queries.ts';

const tag = 'Objectives';
const path = '/v2/partner/objectives';

export const listObjectives = listEndpoint({
  id: 'listObjectives',
  path,
  summary: 'List objectives',
  description:
    'Returns the objectives of the team, the archived ones as well. is_standard marks those ' +
    'that every team has from the start; completion_count is the number of completions.',
  tag,
  scope: 'partner:objectives:read',
  item: Objective,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    updated_at: { type: 'timestamp', filter: true, sort: true },
    name: { type: 'text', filter: true, sort: true },
    key: { type: 'text', filter: true },
    category: { type: 'enum', values: objectiveCategories, filter: true },
    is_standard: { type: 'boolean', filter: true },
    is_active: { type: 'boolean', filter: true },
  },
  defaultSort: '-inserted_at',
  source: ({ teamId }) => objectiveSource(teamId),
});

export const createObjective = endpoint({
  id: 'createObjective',
  method: 'POST',
  path,
  summary: 'Create an objective',
  description:
    'Creates an objective that contacts can complete. The key must be unique in the team and ' +
    'cannot be changed later. A team has at most 500 objectives. List the objective in a ' +
    'template, or record completions of it directly.',
  errors: ['quota_exceeded', 'key_taken'],
  tag,
  audit: 'objective.created',
  scope: 'partner:objectives:write',
  rateClass: 'write',
  body: ObjectiveCreate,
  status: 201,
  response: Objective,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body }) {
    await checkQuota(sql, teamId, {
      name: 'objectives',
      of: 'objectives',
      limit: maxObjectives,
      count: countRows('objectives'),
    });
    const created = await insertObjective(sql, teamId, {
      name: body.name,
      key: body.key,
      description: body.description ?? null,
      category: body.category ?? 'other',
      value_cents: body.value_cents ?? 0,
      attribution_window_days: body.attribution_window_days ?? 30,
      attribution_model: body.attribution_model ?? 'any_touch',
      is_repeatable: body.is_repeatable ?? false,
      product_kind: body.product_kind ?? null,
      is_active: body.is_active ?? true,
    });
    if (created) return created;
    const holder = await findObjectiveByKey(sql, teamId, body.key);
    throw fail('key_taken', {
      detail: 'Another objective of the team has this key.',
      meta: { pointer: '/key', ...holder },
    });
  },
});

export const getObjective = endpoint({
  id: 'getObjective',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an objective',
  description:
    'Returns one objective with its value and its attribution. Its key is fixed. The ' +
    'attribution window says for how many days a journey is credited with a completion.',
  tag,
  scope: 'partner:objectives:read',
  rateClass: 'read',
  response: Objective,
  handle: ({ sql, teamId, params }) => requireObjective(sql, teamId, params.id),
});

export const updateObjective = endpoint({
  id: 'updateObjective',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update an objective; its key cannot be changed',
  description:
    'Changes the fields that the body names. The key is fixed. Completions that were recorded ' +
    'before keep their value. A body that changes nothing records nothing.',
  errors: ['immutable_field'],
  tag,
  audit: 'objective.updated',
  scope: 'partner:objectives:write',
  rateClass: 'write',
  body: ObjectivePatch,
  response: Objective,
  async handle({ sql, teamId, params, body: { key, ...changes }, checkPrecondition }) {
    const before = await lockObjective(sql, teamId, params.id);
    checkPrecondition(before);
    if (key !== undefined && key !== before.key) {
      throw fail('immutable_field', {
        detail: 'The key of an objective cannot be changed.',
        meta: { pointer: '/key' },
      });
    }
    const wanted = merge(before, changes);
    if (!changedFields(Objective, before, { ...before, ...wanted })) return before;
    return updateObjectiveRow(sql, teamId, before.id, wanted);
  },
});

export const archiveObjective = endpoint({
  id: 'archiveObjective',
  method: 'POST',
  path: `${path}/{id}/archive`,
  summary: 'Archive an objective; no new completions, existing ones are kept',
  description:
    'Archives an objective, which can then no longer be completed. Completions that were ' +
    'recorded stay in counts and insights. An archived objective is refused with 409. It can ' +
    'be unarchived.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  audit: 'objective.archived',
  scope: 'partner:objectives:write',
  rateClass: 'execute',
  response: Objective,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const before = await lockObjective(sql, teamId, params.id);
    checkPrecondition(before);
    checkTransition(before, 'archive');
    const archived_at = new Date().toISOString();
    return updateObjectiveRow(sql, teamId, before.id, { archived_at });
  },
});

export const unarchiveObjective = endpoint({
  id: 'unarchiveObjective',
  method: 'POST',
  path: `${path}/{id}/unarchive`,
  summary: 'Unarchive an objective',
  description:
    'Unarchives an objective, so that it can be completed again. An objective ' +
    'that is not archived is refused with 409. Its completions are as they were.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  audit: 'objective.unarchived',
  scope: 'partner:objectives:write',
  rateClass: 'execute',
  response: Objective,
  async handle({ sql, teamId, params, checkPrecondition }) {
    const before = await lockObjective(sql, teamId, params.id);
    checkPrecondition(before);
    checkTransition(before, 'unarchive');
    return updateObjectiveRow(sql, teamId, before.id, { archived_at: null });
  },
});

export const deleteObjective = endpoint({
  id: 'deleteObjective',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete an objective without templates and completions',
  description:
    'Deletes an objective permanently. An objective that a template lists, or that was ' +
    'completed, is refused with 409 and can be archived instead.',
  errors: ['conflict'],
  tag,
  audit: 'objective.deleted',
  scope: 'partner:objectives:delete',
  rateClass: 'write',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const before = await lockObjective(sql, teamId, params.id);
    checkPrecondition(before);
    if (await isObjectiveUsed(sql, teamId, before.id)) {
      throw fail('conflict', {
        detail: 'A template uses the objective, or it has completions; archive it instead.',
        meta: { resource: 'objective' },
      });
    }
    await deleteObjectiveRow(sql, teamId, before.id);
    return undefined;
  },
});

export const objectiveEndpoints = [
  listObjectives,
  createObjective,
  getObjective,
  updateObjective,
  archiveObjective,
  unarchiveObjective,
  deleteObjective,
];

/** Active and archived lead to each other. */
function checkTransition({ archived_at }: ObjectiveRow, action: 'archive' | 'unarchive'): void {
  const allowed = archived_at === null ? 'archive' : 'unarchive';
  if (action === allowed) return;
  const state = archived_at === null ? 'active' : 'archived';
  throw fail('invalid_state_transition', {
    detail: `The objective is ${state}.`,
    meta: { resource: 'objective', state, action, allowed_actions: [allowed] },
  });
}

/** The columns after a body: absent keeps, null clears. */
function merge(
  before: ObjectiveRow,
  body: Omit<Static<typeof ObjectivePatch>, 'key'>,
): Omit<NewObjective, 'key'> {
  return {
    name: body.name ?? before.name,
    description: body.description === undefined ? before.description : body.description,
    category: body.category ?? before.category,
    value_cents: body.value_cents ?? before.value_cents,
    attribution_window_days: body.attribution_window_days ?? before.attribution_window_days,
    attribution_model: body.attribution_model ?? before.attribution_model,
    is_repeatable: body.is_repeatable ?? before.is_repeatable,
    product_kind: body.product_kind === undefined ? before.product_kind : body.product_kind,
    is_active: body.is_active ?? before.is_active,
  };
}
