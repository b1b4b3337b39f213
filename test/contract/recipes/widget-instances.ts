import { maxWidgetInstances } from '../../../src/partner/widget-instances/rules.ts';
import { act, create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const path = '/v2/partner/widget-instances';
const newWidget =
  (...actions: string[]): Make =>
  async (team) =>
    act(
      team,
      path,
      await create(team, path, { name: 'Checklist', widget_kind: 'journey' }),
      actions,
    );

export const widgetInstanceRecipes: Recipes = {
  places: { '/v2/partner/widget-instances/{id}': newWidget() },
  operations: {
    createWidgetInstance: { quota: { table: 'widget_instances', most: maxWidgetInstances } },
    unarchiveWidgetInstance: { target: newWidget('archive') },
  },
  // Kept for resources that do not exist yet.
  foreignIds: ['widget_instance_id'],
};
