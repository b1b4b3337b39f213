import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';
import { newTemplate } from './templates.ts';

/** One of two, so that there is an order. */
export const newPage: Make = async (team, params) => {
  const path = `/v2/partner/templates/${await newTemplate(team, params)}/pages`;
  const id = await create(team, path, { name: 'Page' });
  await create(team, path, { name: 'Page behind it' });
  return id;
};

export const pageRecipes: Recipes = {
  places: { '/v2/partner/pages/{id}': newPage },
  operations: {
    updatePage: { scenes: [{ title: 'has the same order', body: () => ({ position: 1 }) }] },
  },
  references: { page_ids: newPage },
};
