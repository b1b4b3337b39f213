import { randomUUID } from 'node:crypto';
import { newContact } from './contacts.ts';
import { act, create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const path = '/v2/partner/cohorts';
const definition = { field: 'contact.status', op: 'eq', value: 'active' };
const list = () => ({ name: randomUUID(), kind: 'static' });
const newList: Make = (team) => create(team, path, list());
const members = async (team: Owner, params: Params) => ({
  contact_ids: [await newContact(team, params)],
});

export const cohortRecipes: Recipes = {
  places: {
    '/v2/partner/cohorts/{id}': newList,
    '/v2/partner/cohorts/{id}/members/{contact_id}': newContact,
  },
  operations: {
    createCohort: { body: () => ({ name: randomUUID(), kind: 'dynamic', definition }) },
    previewCohort: { body: () => ({ definition }) },
    evaluateCohort: {
      target: (team) =>
        create(team, path, {
          name: randomUUID(),
          kind: 'dynamic',
          evaluation_mode: 'on_demand',
          definition,
        }),
    },
    addCohortMembers: { body: members },
    removeCohortMembers: { body: members },
    unarchiveCohort: {
      target: async (team, params) => act(team, path, await newList(team, params), ['archive']),
    },
  },
  references: {
    contact_ids: newContact,
    target_cohort_ids: newList,
    exclusion_cohort_ids: newList,
  },
};
