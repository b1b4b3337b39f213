import { randomUUID } from 'node:crypto';
import { maxCustomEventTypes } from '../../../src/engagement/custom-event-types/custom-event-type.ts';
import { newContact } from './contacts.ts';
import { create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const path = '/v2/partner/custom-event-types';
const definition = () => ({
  name: `custom.e${randomUUID().replaceAll('-', '')}`,
  schema: { type: 'object', properties: { amount_cents: { type: 'integer' } } },
});
const newType: Make = (team) => create(team, path, definition());

/** An event of a new type. */
async function anEvent(team: Owner): Promise<{ type: string; unique_id: string }> {
  const { name } = definition();
  await create(team, path, { name });
  return { type: name, unique_id: randomUUID() };
}

export const customEventRecipes: Recipes = {
  places: { '/v2/partner/custom-event-types/{id}': newType },
  operations: {
    createCustomEventType: {
      body: definition,
      quota: { table: 'custom_event_types', most: maxCustomEventTypes },
    },
    updateCustomEventType: { body: () => ({ description: 'An order was placed.' }) },
    publishEvents: {
      body: async (team: Owner, params: Params) => ({
        events: [{ ...(await anEvent(team)), contact_id: await newContact(team, params) }],
      }),
      scenes: [
        {
          title: 'has defined the type',
          body: () => ({ events: [{ type: 'custom.of_a_twin', unique_id: randomUUID() }] }),
          deed: (team) => create(team, path, { name: 'custom.of_a_twin' }),
        },
      ],
      deepIds: [
        {
          name: 'events of a contact_id',
          make: newContact,
          body: (id) => ({
            events: [{ type: 'custom.unknown', unique_id: 'one', contact_id: id }],
          }),
        },
      ],
    },
  },
};
