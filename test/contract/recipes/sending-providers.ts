import { maxSendingProviders } from '../../../src/messaging/sending-providers/sending-provider.ts';
import { scopesOfReceiver } from '../../../src/messaging/sending-providers/rules.ts';
import { create } from './recipe.ts';
import type { Make, Owner, Recipes } from './recipe.ts';

const path = '/v2/partner/sending-providers';

/** A team has few of them, and tests make many: all but the last three are deleted. */
async function provider(team: Owner) {
  await team.db.look(
    (sql) => sql`
      update sending_providers set deleted_at = now()
      where team_id = ${team.id} and deleted_at is null and id not in (
        select id from sending_providers
        where team_id = ${team.id} and deleted_at is null
        order by inserted_at desc limit 3)`,
  );
  return {
    ...{ name: 'Texts', channel: 'sms', kind: 'sms_a', url: 'https://sms.example.com' },
    ...{ account: 'AC0123456789', senders: ['+14155550123'], secret: 'b3f19c2e' },
  };
}
export const newProvider: Make = async (team) => create(team, path, await provider(team));
/** One that another client made. */
const providerOfAnother: Make = async (team, params) => {
  const id = await newProvider(team, params);
  await team.db.look(
    (sql) => sql`
      update sending_providers set changed_by_client_id = null
      where team_id = ${team.id} and id = ${id}`,
  );
  return id;
};

/** A provider gets messages and contacts: its client must be able to read them. */
const furtherScopes = scopesOfReceiver.map((scope) => ({ scope }));

export const sendingProviderRecipes: Recipes = {
  places: { [`${path}/{id}`]: newProvider },
  operations: {
    createSendingProvider: {
      body: provider,
      furtherScopes,
      quota: { table: 'sending_providers', most: maxSendingProviders },
    },
    updateSendingProvider: { body: () => ({ priority: 2 }), furtherScopes },
    rotateSendingProviderSecret: { body: () => ({ secret: '9c2eb3f1', force: true }) },
    releaseSendingProvider: { target: providerOfAnother },
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
