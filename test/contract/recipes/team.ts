import { maxLivePortalSessions } from '../../../src/team/portal-sessions/queries.ts';
import type { Recipes } from './recipe.ts';

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
      ],
    },
  },
};
