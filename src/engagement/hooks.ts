import { createHook } from '../platform/events/hook.ts';
import type { NewEngagementEvent } from './engagement-events/queries.ts';
import type { CompletionRow } from './completions/queries.ts';

/** An event that was stored; `is_engagement`: the contact itself did something. */
interface StoredEvent extends NewEngagementEvent {
  is_engagement: boolean;
}

/** Events were stored, except repeats and events of journeys. */
export const engagementRecorded = createHook<readonly StoredEvent[]>('engagementRecorded');

/** Objectives were completed, and this was published. */
export const objectivesCompleted = createHook<readonly CompletionRow[]>('objectivesCompleted');
