import { endpoint } from '../../http/endpoint.ts';
import { fail } from '../../http/errors.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { Objective, ObjectiveCreate, maxObjectives, objectiveCategories } from './objective.ts';
import {
  countObjectives,
  findObjectiveByKey,
  insertObjective,
  objectiveSource,
  requireObjective,
} from './queries.ts';

const tag = 'Objectives';
const path = '/v2/partner/objectives';

export const listObjectives = listEndpoint({
  id: 'listObjectives',
  path,
  summary: 'List objectives',
  tag,
  scope: 'partner:objectives:read',
  item: Objective,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
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
  tag,
  scope: 'partner:objectives:write',
  rateClass: 'write',
  body: ObjectiveCreate,
  status: 201,
  response: Objective,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body }) {
    if ((await countObjectives(sql, teamId)) >= maxObjectives) {
      throw fail('quota_exceeded', {
        detail: `A team has at most ${String(maxObjectives)} objectives.`,
        meta: { quota: 'objectives', limit: maxObjectives },
      });
    }
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
  tag,
  scope: 'partner:objectives:read',
  rateClass: 'read',
  response: Objective,
  handle: ({ sql, teamId, params }) => requireObjective(sql, teamId, params.id),
});

export const objectiveEndpoints = [listObjectives, createObjective, getObjective];
