import { landingPageEvents, templateEvents } from '../campaigns/events.ts';
import { cohortEvents } from '../cohorts/events.ts';
import { accountEvents, contactEvents } from '../contacts/events.ts';
import { objectiveEvents, widgetEvents } from '../engagement/events.ts';
import { inboundEvents } from '../inbound/events.ts';
import { journeyEvents } from '../journeys/events.ts';
import { messageEvents } from '../messaging/events.ts';
import { runEvents, sftpEvents } from '../operations/events.ts';
import { byName } from '../platform/events/event-type.ts';
import { deprecatedItem } from '../platform/http/deprecation.ts';
import type { DeprecatedItem } from '../platform/http/deprecation.ts';
import { teamEvents, userEvents } from '../team/events.ts';
import { webhookEvents } from './events.ts';

/** Every outbound event type by its name, in the order of the documents. ADR 32. */
export const eventTypes = byName([
  ...contactEvents,
  ...accountEvents,
  ...objectiveEvents,
  ...templateEvents,
  ...journeyEvents,
  ...userEvents,
  ...landingPageEvents,
  ...cohortEvents,
  ...sftpEvents,
  ...messageEvents,
  ...widgetEvents,
  ...inboundEvents,
  ...runEvents,
  ...teamEvents,
  ...webhookEvents,
]);

export type EventName = keyof typeof eventTypes;

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(eventTypes, name);
}

/** Event types as elements of lists of deprecated parts. */
export function deprecatedEventTypes(): DeprecatedItem[] {
  return Object.values(eventTypes).flatMap(({ name, deprecation }) =>
    deprecation ? [deprecatedItem('event_type', name, { event_type: name }, deprecation)] : [],
  );
}

/** Whether an entry of `event_types` names anything. */
export function isEventPattern(pattern: string): boolean {
  if (pattern === '*') return true;
  const names = Object.keys(eventTypes);
  if (!pattern.endsWith('.*')) return names.includes(pattern);
  return names.some((name) => name.startsWith(pattern.slice(0, -1)));
}

/** The prefixes that "prefix.*" may use. */
export function eventPrefixes(): string[] {
  return [
    ...new Set(Object.keys(eventTypes).map((name) => `${name.split('.')[0] ?? ''}.*`)),
  ].sort();
}
