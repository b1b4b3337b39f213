import { maxWidgetInstances } from '../../../src/widget/widget-instances/rules.ts';
import { newContact } from './contacts.ts';
import { act, create } from './recipe.ts';
import type { Make, Owner, Recipes } from './recipe.ts';
import { newTemplate } from './templates.ts';

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

const journeyOf = async (team: Owner, contact_id: string): Promise<string> => {
  const template_id = await newTemplate(team, {});
  const [row] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into journeys (team_id, template_id, template_version, contact_id, enrolled_via)
      values (${team.id}, ${template_id}, 1, ${contact_id}, 'api') returning id`,
  );
  return row?.id ?? '';
};
/** Somebody whom a widget can be shown. */
const recipient = async (team: Owner) => {
  const contact_id = await newContact(team, {});
  await journeyOf(team, contact_id);
  return { contact_id };
};

export const widgetInstanceRecipes: Recipes = {
  operations: {
    createWidgetInstance: { quota: { table: 'widget_instances', most: maxWidgetInstances } },
    unarchiveWidgetInstance: { target: newWidget('archive') },
    createWidgetToken: { body: recipient },
  },
  references: { journey_id: async (team) => journeyOf(team, await newContact(team, {})) },
  // Kept for resources that do not exist yet.
  foreignIds: ['widget_instance_id'],
};
