import { maxSendingProviders } from '../../../src/messaging/sending-providers/sending-provider.ts';
import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/sending-providers';
const provider = () => ({
  ...{ name: 'Texts', channel: 'sms', kind: 'sms_a', url: 'https://sms.example.com' },
  ...{ account: 'AC0123456789', senders: ['+14155550123'], secret: 'b3f19c2e' },
});
const newProvider: Make = (team) => create(team, path, provider());

export const sendingProviderRecipes: Recipes = {
  places: { [`${path}/{id}`]: newProvider },
  operations: {
    createSendingProvider: {
      body: provider,
      quota: { table: 'sending_providers', most: maxSendingProviders },
    },
    updateSendingProvider: { body: () => ({ priority: 2 }) },
    rotateSendingProviderSecret: { body: () => ({ secret: '9c2eb3f1', force: true }) },
    testSendingProvider: {
      scenes: [
        {
          title: 'tests a provider',
          deed: async (team, params) =>
            create(team, `${path}/${await newProvider(team, params)}/test`),
        },
      ],
    },
  },
};
