import { randomUUID } from 'node:crypto';
import { newContact } from './contacts.ts';
import { create } from './recipe.ts';
import type { Recipes } from './recipe.ts';

const address = () => ({ channel: 'email', address: `${randomUUID()}@example.com` });

export const suppressionRecipes: Recipes = {
  places: {
    '/v2/partner/suppressions/{id}': (team) => create(team, '/v2/partner/suppressions', address()),
  },
  operations: {
    createSuppression: {
      body: async (team, params) => ({
        channel: 'all',
        contact_id: await newContact(team, params),
      }),
      scenes: [
        {
          title: 'has a contact with the address',
          body: async (team) => {
            const email = `${randomUUID()}@example.com`;
            await create(team, '/v2/partner/contacts', { email });
            return { channel: 'email', address: email };
          },
        },
      ],
    },
  },
};
