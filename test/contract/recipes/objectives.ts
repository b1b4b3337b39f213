import { randomUUID } from 'node:crypto';
import { newContact } from './contacts.ts';
import { act, create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const path = '/v2/partner/objectives';
const objective = () => ({ name: 'Objective', key: `o-${randomUUID()}` });
export const newObjective: Make = (team) => create(team, path, objective());
const completion = async (team: Owner, params: Params) => ({
  contact_id: await newContact(team, params),
});

export const objectiveRecipes: Recipes = {
  places: {
    '/v2/partner/objectives/{id}': newObjective,
    '/v2/partner/objectives/completions/{id}': async (team, params) =>
      create(
        team,
        `${path}/${await newObjective(team, params)}/completions`,
        await completion(team, params),
      ),
  },
  operations: {
    createObjective: { body: objective },
    createObjectiveCompletion: { body: completion },
    unarchiveObjective: {
      target: async (team, params) =>
        act(team, path, await newObjective(team, params), ['archive']),
    },
  },
  references: { objective_id: newObjective, objective_ids: newObjective },
};
