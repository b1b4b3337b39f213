import { randomUUID } from 'node:crypto';
import { maxLandingPages } from '../../../src/campaigns/landing-pages/landing-page.ts';
import { newContentBlock } from './content-blocks.ts';
import { act, create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/landing-pages';
/** A landing page that can be published, after these actions. */
const landingPageAfter =
  (...actions: string[]): Make =>
  async (team, params) => {
    const content_block_ids = [await newContentBlock(team, params)];
    const slug = `p-${randomUUID().slice(0, 8)}`;
    const page = { name: 'Page', slug, title: 'Page', content_block_ids };
    return act(team, path, await create(team, path, page), actions);
  };

export const landingPageRecipes: Recipes = {
  places: { '/v2/partner/landing-pages/{id}': landingPageAfter() },
  operations: {
    createLandingPage: { quota: { table: 'landing_pages', most: maxLandingPages } },
    getLandingPage: {
      target: landingPageAfter('publish'),
      scenes: [
        {
          title: 'has published something else',
          deed: (team) =>
            team.db.look(
              (sql) => sql`
                update landing_page_versions set fingerprint = '{}' where team_id = ${team.id}
                returning version`,
            ),
        },
      ],
    },
    unpublishLandingPage: { target: landingPageAfter('publish') },
    unarchiveLandingPage: { target: landingPageAfter('archive') },
  },
};
