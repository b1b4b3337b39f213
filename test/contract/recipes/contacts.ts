import { randomUUID } from 'node:crypto';
import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const contact = () => ({ unique_id: randomUUID() });
export const newContact: Make = (team) => create(team, '/v2/partner/contacts', contact());

export const contactRecipes: Recipes = {
  places: {
    '/v2/partner/contacts/{id}': newContact,
    '/v2/partner/contacts/{id}/devices/{device_id}': (team, { id = '' }) =>
      create(team, `/v2/partner/contacts/${id}/devices`, { token: randomUUID(), platform: 'ios' }),
  },
  operations: {
    createContact: { body: contact },
    createContactDevice: { body: () => ({ token: randomUUID(), platform: 'web' }) },
    updateContact: { body: () => ({ first_name: 'Ada' }) },
  },
  references: { contact_id: newContact },
  texts: { channel: 'email' },
};
