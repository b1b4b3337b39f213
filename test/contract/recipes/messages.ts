import { act, create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';
import { newTemplate } from './templates.ts';

const newMessage: Make = async (team, params) =>
  create(team, `/v2/partner/templates/${await newTemplate(team, params)}/messages`, {
    name: 'Message',
    channel: 'sms',
  });

export const messageRecipes: Recipes = {
  places: { '/v2/partner/messages/{id}': newMessage },
  operations: {
    unarchiveMessage: {
      target: async (team, params) =>
        act(team, '/v2/partner/messages', await newMessage(team, params), ['archive']),
    },
  },
  references: { message_ids: newMessage },
  foreignIds: [
    // An object that may hold ids; test/partner/messages tries them.
    'trigger',
  ],
};
