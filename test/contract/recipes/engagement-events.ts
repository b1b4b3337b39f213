import { randomUUID } from 'node:crypto';
import { newContact } from './contacts.ts';
import type { Recipes } from './recipe.ts';

const engagement = () => ({ kind: 'custom', unique_id: randomUUID() });

export const engagementEventRecipes: Recipes = {
  places: {
    '/v2/partner/engagement-events/{id}': async (team) => {
      const reply = await team.post('/v2/partner/engagement-events', { events: [engagement()] });
      return String(reply.body.data[0].id);
    },
  },
  operations: {
    recordEngagementEvents: { body: () => ({ events: [engagement()] }) },
  },
  references: { events: newContact },
};
