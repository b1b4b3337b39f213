import { newObjective } from './objectives.ts';
import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

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

export const templateRecipes: Recipes = {
  places: { '/v2/partner/templates/{id}': newTemplate },
  operations: {
    getTemplateVersion: { target: templateAfter('launch') },
    scheduleTemplate: { target: templateAfter(), body: tomorrow },
    unscheduleTemplate: { target: templateAfter('schedule') },
    launchTemplate: { target: templateAfter() },
    pauseTemplate: { target: templateAfter('launch') },
    resumeTemplate: { target: templateAfter('launch', 'pause') },
    expireTemplate: { target: templateAfter('launch') },
    unarchiveTemplate: { target: templateAfter('archive') },
    unlockTemplate: { target: templateAfter('lock') },
  },
  references: { template_id: newTemplate },
  texts: { version: '1' },
};
