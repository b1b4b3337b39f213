import { randomUUID } from 'node:crypto';
import { newContentBlock } from './content-blocks.ts';
import { act, create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/landing-pages';
/** A landing page that can be published, after these actions. */
const landingPageAfter =
  (...actions: string[]): Make =>
  async (team, params) => {
    const content_block_ids = [await newContentBlock(team, params)];
    const page = { name: 'Page', slug: `p-${randomUUID()}`, title: 'Page', content_block_ids };
    return act(team, path, await create(team, path, page), actions);
  };

export const landingPageRecipes: Recipes = {
  places: { '/v2/partner/landing-pages/{id}': landingPageAfter() },
  operations: {
    unpublishLandingPage: { target: landingPageAfter('publish') },
    unarchiveLandingPage: { target: landingPageAfter('archive') },
  },
};
