import { maxTemplates } from '../../../src/campaigns/templates/template.ts';
import { newObjective } from './objective.ts';
import { create, firstOf } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const path = '/v2/partner/templates';
export const newTemplate: Make = (team) => create(team, path, { name: 'Template' });
/** A template that is complete, after these actions. */
const templateAfter =
  (...actions: string[]): Make =>
  async (team, params) => {
    const objective_ids = [await newObjective(team, params)];
    const id = await create(team, path, { name: 'Template', objective_ids });
    await create(team, `${path}/${id}/messages`, { name: 'Welcome', channel: 'sms' });
    for (const action of actions) {
      const body = action === 'schedule' ? tomorrow() : undefined;
      await create(team, `${path}/${id}/${action}`, body);
    }
    return id;
  };
const tomorrow = () => ({ scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
export const launchedTemplate = templateAfter('launch');
/** A template with all that one has: an objective, a message, a page. */
const fullTemplate: Make = async (team, params) => {
  const id = await templateAfter()(team, params);
  await create(team, `${path}/${id}/pages`, { name: 'Page' });
  return id;
};
/** One with two pages and two messages. */
const templateWithTwo: Make = async (team, params) => {
  const id = await fullTemplate(team, params);
  await create(team, `${path}/${id}/pages`, { name: 'Page behind it' });
  await create(team, `${path}/${id}/messages`, { name: 'Message behind it', channel: 'sms' });
  return id;
};
/** One that was paused and changed since it was launched. */
const changedTemplate: Make = async (team, params) => {
  const id = await templateAfter('launch', 'pause', 'unlock')(team, params);
  await create(team, `${path}/${id}/pages`, { name: 'Another page' });
  return id;
};
const standardObjective = (team: Owner) => firstOf(team, '/v2/partner/objectives?sort=inserted_at');

export const templateRecipes: Recipes = {
  places: {
    '/v2/partner/templates/{id}': fullTemplate,
    '/v2/partner/templates/{template_id}': fullTemplate,
  },
  operations: {
    createTemplate: { quota: { table: 'templates', most: maxTemplates } },
    getTemplateVersion: { target: templateAfter('launch') },
    scheduleTemplate: { target: templateAfter(), body: tomorrow },
    unscheduleTemplate: { target: templateAfter('schedule') },
    launchTemplate: { target: templateAfter() },
    listTemplates: {
      shown: fullTemplate,
      scenes: [
        {
          title: 'has given the template another objective',
          query: async (team) => `?filter[objective_id]=${await standardObjective(team)}`,
          deed: async (team) => {
            const objective_id = await standardObjective(team);
            return team.db.look(
              (sql) => sql`
                update template_objectives set objective_id = ${objective_id}
                where team_id = ${team.id} returning position`,
            );
          },
        },
      ],
    },
    listTemplateVersions: { target: templateAfter('launch') },
    pauseTemplate: { target: templateAfter('launch') },
    resumeTemplate: {
      target: templateAfter('launch', 'pause'),
      scenes: [
        {
          title: 'has launched what is to be launched now',
          target: changedTemplate,
          deed: async (team, { id = '' }) => {
            await create(team, `${path}/${id}/resume`);
            return team.db.look(
              (sql) => sql`
                update template_versions
                set content = (
                  select content from template_versions
                  where team_id = ${team.id} and template_id = ${id} and version = 2
                )
                where team_id = ${team.id} and template_id = ${id} and version = 1
                returning version`,
            );
          },
        },
      ],
    },
    expireTemplate: { target: templateAfter('launch') },
    unarchiveTemplate: { target: templateAfter('archive') },
    unlockTemplate: { target: templateAfter('lock') },
    updateTemplate: {
      scenes: [
        { title: 'has the same objectives', body: () => ({ objective_ids: [] }) },
        ...(['pages', 'messages'] as const).map((kind) => ({
          title: `has the same ${kind}`,
          target: templateWithTwo,
          body: async (team: Owner, { id = '' }: Params) => {
            const { body } = await team.get(`${path}/${id}/${kind}`);
            const ids = body.data.map((step: { id: string }) => step.id);
            return { [kind === 'pages' ? 'page_ids' : 'message_ids']: ids.reverse() };
          },
        })),
      ],
    },
  },
  references: { template_id: newTemplate },
  texts: { version: '1' },
};
