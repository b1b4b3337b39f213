import { randomUUID } from 'node:crypto';
import { maxUsers } from '../../../src/team/users/rules.ts';
import { act, create, firstOf } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/users';
const user = () => ({ email: `${randomUUID()}@example.com` });
const newUser =
  (...actions: string[]): Make =>
  async (team) =>
    act(team, path, await create(team, path, user()), actions);
const activeAdmin: Make = async (team) =>
  act(team, path, await create(team, path, { ...user(), role: 'admin' }), ['activate']);
const anotherAdmin = { title: 'has another admin', target: activeAdmin, deed: activeAdmin };

export const userRecipes: Recipes = {
  places: {
    '/v2/partner/audit-events/{id}': async (team, params) => {
      const made = await newUser()(team, params);
      return firstOf(team, `/v2/partner/audit-events?filter[resource_id]=${made}`);
    },
  },
  operations: {
    createUser: { body: user, quota: { table: 'users', most: maxUsers } },
    deleteUser: { scenes: [anotherAdmin] },
    reactivateUser: { target: newUser('suspend') },
    suspendUser: { scenes: [anotherAdmin] },
  },
};
