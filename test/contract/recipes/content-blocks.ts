import { randomUUID } from 'node:crypto';
import type { Json } from '../json-schema.ts';
import { act, create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/content-blocks';
const richText = (): Json => ({ kind: 'rich_text', body: { html: '<p>Hello</p>' } });
const contentBlock = () => ({ name: 'Block', key: `b-${randomUUID()}`, ...richText() });
export const newContentBlock: Make = (team) => create(team, path, contentBlock());

export const contentBlockRecipes: Recipes = {
  places: { '/v2/partner/content-blocks/{id}': newContentBlock },
  operations: {
    createContentBlock: { body: contentBlock },
    previewContentBlock: { body: richText },
    unarchiveContentBlock: {
      target: async (team, params) =>
        act(team, path, await newContentBlock(team, params), ['archive']),
    },
  },
  references: { content_block_ids: newContentBlock },
};
