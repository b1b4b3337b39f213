import { createHook } from '../platform/events/hook.ts';
import type { TemplateRow } from './templates/queries.ts';

/** A template was launched. */
export const templateLaunched = createHook<TemplateRow>('templateLaunched');

/** A template changed so that its journeys are to be started, moved or ended. */
export const journeysOutdated = createHook<TemplateRow>('journeysOutdated');
