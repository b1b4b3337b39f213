import { maxObjectives } from '../../../src/campaigns/objectives/objective.ts';
import { newContact } from './contacts.ts';
import { enroll, hasEnrolled } from './enrolled.ts';
import { newObjective, objective, objectives as path } from './objective.ts';
import { act, create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const completion = async (team: Owner, params: Params) => ({
  contact_id: await newContact(team, params),
});
const complete: Make = async (team, { id = '', ...params }) =>
  create(team, `${path}/${id}/completions`, await completion(team, params));
const completedObjective: Make = async (team, params) => {
  const id = await newObjective(team, params);
  await complete(team, { id });
  return id;
};
const archivedTemplateOf: Make = async (team, params) => {
  const objective = await newObjective(team, params);
  const template = { name: 'Template', objective_ids: [objective] };
  const id = await create(team, '/v2/partner/templates', template);
  await team.db.look(
    (sql) => sql`update templates set deleted_at = now() where id = ${id} returning id`,
  );
  return objective;
};

export const objectiveRecipes: Recipes = {
  places: {
    '/v2/partner/objectives/{id}': newObjective,
    '/v2/partner/objectives/completions/{id}': async (team, params) =>
      complete(team, { id: await newObjective(team, params) }),
  },
  operations: {
    createObjective: { body: objective, quota: { table: 'objectives', most: maxObjectives } },
    createObjectiveCompletion: {
      body: async (team, { id = '' }) => {
        const contact_id = await newContact(team, {});
        await enroll(team, [contact_id], id);
        return { contact_id };
      },
      scenes: [
        { ...hasEnrolled, body: completion },
        {
          title: 'has archived the objective',
          deed: (team, { id = '' }) => create(team, `${path}/${id}/archive`),
        },
      ],
    },
    deleteObjective: {
      scenes: [
        {
          title: 'has a template with the objective',
          deed: (team, { id = '' }) =>
            create(team, '/v2/partner/templates', { name: 'Template', objective_ids: [id] }),
        },
        {
          title: 'has kept the template with the objective',
          target: archivedTemplateOf,
          deed: (team) =>
            team.db.look(
              (sql) => sql`
                update templates set deleted_at = null where team_id = ${team.id} returning id`,
            ),
        },
        { title: 'has a completion of the objective', deed: complete },
      ],
    },
    getObjective: { target: completedObjective },
    getObjectiveCompletionsCounts: { shown: completedObjective },
    listCompletions: { shown: completedObjective },
    listContactCompletions: {
      shown: async (team, { id = '', ...params }) =>
        create(team, `${path}/${await newObjective(team, params)}/completions`, {
          contact_id: id,
        }),
    },
    listObjectiveCompletions: { shown: complete },
    unarchiveObjective: {
      target: async (team, params) =>
        act(team, path, await newObjective(team, params), ['archive']),
    },
  },
  references: { objective_id: newObjective, objective_ids: newObjective },
};
