import { randomUUID } from 'node:crypto';
import { act, create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/users';
const user = () => ({ email: `${randomUUID()}@example.com` });
const newUser =
  (...actions: string[]): Make =>
  async (team) =>
    act(team, path, await create(team, path, user()), actions);

export const userRecipes: Recipes = {
  places: {
    '/v2/partner/users/{id}': newUser(),
    '/v2/partner/audit-events/{id}': async (team, params) => {
      const made = await newUser()(team, params);
      const { body } = await team.get(`/v2/partner/audit-events?filter[resource_id]=${made}`);
      return String(body.data[0].id);
    },
  },
  operations: {
    createUser: { body: user },
    reactivateUser: { target: newUser('suspend') },
  },
};
