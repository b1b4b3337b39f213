import { eventTypes } from './catalog.ts';
import type { EventName } from './catalog.ts';

/** Everything that a subscription may list to get an event: its name, "prefix.*" and "*". */
export function patternsOf(name: EventName): string[] {
  if (eventTypes[name].isOptIn) return [name];
  const parts = name.split('.');
  const prefixes = parts.slice(0, -1).map((_, at) => `${parts.slice(0, at + 1).join('.')}.*`);
  return [name, ...prefixes, '*'];
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
