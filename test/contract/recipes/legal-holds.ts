import { maxLegalHolds } from '../../../src/contacts/legal-holds/legal-hold.ts';
import { newContact } from './contacts.ts';
import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/legal-holds';
const reason = 'A request of the regulator';

/** On a contact of its own: one on the team would refuse the erasures of other tests. */
const newHold: Make = async (team, params) =>
  create(team, path, { reason, contact_id: await newContact(team, params) });

export const legalHoldRecipes: Recipes = {
  places: { [`${path}/{id}`]: newHold },
  operations: {
    createLegalHold: {
      body: async (team, params) => ({ reason, contact_id: await newContact(team, params) }),
      quota: { table: 'legal_holds', most: maxLegalHolds },
    },
  },
};
