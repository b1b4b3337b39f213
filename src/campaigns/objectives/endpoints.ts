import { fail } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { maxObjectives, objectiveCategories } from './objective.ts';
import { isObjectiveUsed, objectives } from './queries.ts';

const standard = standardEndpoints(objectives, {
  tag: 'Objectives',
  path: '/v2/partner/objectives',
  scope: 'partner:objectives',
});

export const listObjectives = standard.list({
  summary: 'List objectives',
  description:
    'Returns the objectives of the team, the archived ones as well. is_standard marks those ' +
    'that every team has from the start; completion_count is the number of completions.',
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
});

export const createObjective = standard.create({
  summary: 'Create an objective',
  description:
    'Creates an objective that contacts can complete. The key must be unique in the team and ' +
    'cannot be changed later. A team has at most 500 objectives. List the objective in a ' +
    'template, or record completions of it directly.',
  quota: maxObjectives,
  handle: ({ sql, teamId, body }) =>
    objectives.insert(sql, teamId, { ...body, category: body.category ?? 'other' }),
});

export const getObjective = standard.get({
  summary: 'Get an objective',
  description:
    'Returns one objective with its value and its attribution. Its key is fixed. The ' +
    'attribution window says for how many days a journey is credited with a completion.',
});

export const updateObjective = standard.update({
  summary: 'Update an objective; its key cannot be changed',
  description:
    'Changes the fields that the body names. The key is fixed. Completions that were recorded ' +
    'before keep their value. A body that changes nothing records nothing.',
});

export const archiveObjective = standard.archive({
  summary: 'Archive an objective; no new completions, existing ones are kept',
  description:
    'Archives an objective, which can then no longer be completed. Completions that were ' +
    'recorded stay in counts and insights. An archived objective is refused with 409. It can ' +
    'be unarchived.',
});

export const unarchiveObjective = standard.unarchive({
  summary: 'Unarchive an objective',
  description:
    'Unarchives an objective, so that it can be completed again. An objective ' +
    'that is not archived is refused with 409. Its completions are as they were.',
});

export const deleteObjective = standard.delete({
  summary: 'Delete an objective without templates and completions',
  description:
    'Deletes an objective permanently. An objective that a template lists, or that was ' +
    'completed, is refused with 409 and can be archived instead.',
  errors: ['conflict'],
  async check({ sql, teamId }, { id }) {
    if (!(await isObjectiveUsed(sql, teamId, id))) return;
    throw fail('conflict', {
      detail: 'A template uses the objective, or it has completions; archive it instead.',
      meta: { resource: 'objective' },
    });
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
