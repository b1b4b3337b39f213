import { engagementRecorded, objectivesCompleted } from '../engagement/hooks.ts';
import { endFulfilled } from '../journeys/ending/end.ts';
import { applyEventsToJourneys } from '../journeys/signals/apply.ts';

/** Registers the handlers of all hooks, each in the order of its calls. Again does no harm. */
export function registerHooks(): void {
  engagementRecorded.register(applyEventsToJourneys);
  objectivesCompleted.register(endFulfilled);
}
