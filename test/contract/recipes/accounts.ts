import type { Json } from '../json-schema.ts';
import { newContact } from './contacts.ts';
import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

export const newAccount =
  (stamps: Json): Make =>
  async (team, params) =>
    create(team, `/v2/partner/contacts/${await newContact(team, params)}/accounts`, {
      kind: 'deposit',
      ...stamps,
    });
const openedAt = { opened_at: '2026-01-05T00:00:00.000Z' };
const closedAt = { closed_at: '2026-02-05T00:00:00.000Z' };

export const accountRecipes: Recipes = {
  places: { '/v2/partner/accounts/{id}': newAccount({}) },
  operations: {
    closeAccount: { target: newAccount(openedAt) },
    reopenAccount: { target: newAccount({ ...openedAt, ...closedAt }) },
  },
  references: { account_id: newAccount({}) },
  foreignIds: ['product_id'],
};
