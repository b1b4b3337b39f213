import { createHook } from '../platform/events/hook.ts';
import type { TemplateRow } from './templates/queries.ts';

/** A template was launched. */
export const templateLaunched = createHook<TemplateRow>('templateLaunched');

/** A template changed in a way that moves, starts or ends its journeys. */
export const templateChangedForJourneys = createHook<TemplateRow>('templateChangedForJourneys');
