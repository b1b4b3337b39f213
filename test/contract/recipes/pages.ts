import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';
import { newTemplate } from './templates.ts';

const newPage: Make = async (team, params) =>
  create(team, `/v2/partner/templates/${await newTemplate(team, params)}/pages`, { name: 'Page' });

export const pageRecipes: Recipes = {
  places: { '/v2/partner/pages/{id}': newPage },
  references: { page_ids: newPage },
};
