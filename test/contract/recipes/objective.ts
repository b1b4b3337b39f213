import { randomUUID } from 'node:crypto';
import { create } from './recipe.ts';
import type { Make } from './recipe.ts';

export const objectives = '/v2/partner/objectives';
export const objective = () => ({ name: 'Objective', key: `o-${randomUUID()}` });
export const newObjective: Make = (team) => create(team, objectives, objective());
