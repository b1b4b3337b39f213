import { maxLivePortalSessions } from '../../../src/team/portal-sessions/queries.ts';
import { create } from './recipe.ts';
import type { Recipes } from './recipe.ts';
import { newProvider } from './sending-providers.ts';

const renamed = () => ({ name: 'Renamed' });

export const teamRecipes: Recipes = {
  operations: {
    createPortalSession: { quota: { table: 'portal_sessions', most: maxLivePortalSessions } },
    updateTeam: {
      scenes: [
        {
          title: 'has the new name already',
          body: renamed,
          deed: (team) => team.patch('/v2/partner/team', renamed()),
        },
        {
          title: 'has a legal hold',
          body: () => ({ retention: { engagement_days: 100 } }),
          deed: (team) => create(team, '/v2/partner/legal-holds', { reason: 'A request' }),
        },
        {
          title: 'has a provider as well',
          async body(team) {
            await newProvider(team, {});
            return { requires_provider_release: true };
          },
        },
      ],
    },
  },
};
