import { deprecatedItem } from '../http/deprecation.ts';
import type { DeprecatedItem } from '../http/deprecation.ts';
import type { EventType } from './event-type.ts';

const registered = new Map<string, EventType>();

/**
 * Registers the event types of all capabilities, in the order of the documents. src/app does so
 * once in each process, since subscriptions and documents need all types and no capability may
 * import all others.
 */
export function registerEventTypes(types: readonly EventType[]): void {
  for (const type of types) registered.set(type.name, type);
}

/** The type of this name. A type that partners name is found as `<first word>.*`. */
export function findEventType(name: string): EventType | undefined {
  const [word = ''] = name.split('.', 1);
  return types().get(name) ?? types().get(`${word}.*`);
}

export function listEventTypes(): EventType[] {
  return [...types().values()];
}

/** Event types as elements of lists of deprecated parts. */
export function deprecatedEventTypes(): DeprecatedItem[] {
  return listEventTypes().flatMap(({ name, deprecation }) =>
    deprecation ? [deprecatedItem('event_type', name, { event_type: name }, deprecation)] : [],
  );
}

/** Whether partners name the types of this word, as `custom.order_placed` of `custom.*`. */
export function isNamedByPartners(name: string): boolean {
  return !types().has(name) && findEventType(name) !== undefined;
}

/** Whether an entry of `event_types` names anything of the service. */
export function isEventPattern(pattern: string): boolean {
  if (pattern === '*') return true;
  const names = [...types().keys()];
  if (!pattern.endsWith('.*')) return names.includes(pattern);
  return names.some((name) => name.startsWith(pattern.slice(0, -1)));
}

/** The prefixes that "prefix.*" may use. */
export function eventPrefixes(): string[] {
  const prefixes = Array.from(types().keys(), (name) => `${name.split('.')[0] ?? ''}.*`);
  return [...new Set(prefixes)].sort();
}

/** Fails where nothing was registered: a process must not take all event types for unknown. */
function types(): ReadonlyMap<string, EventType> {
  if (registered.size > 0) return registered;
  throw new Error('No event type is registered. Import src/app/event-catalog.ts first.');
}
