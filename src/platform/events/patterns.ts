import type { EventType } from './event-type.ts';

/** Everything that a subscription may list to get an event: its name, "prefix.*" and "*". */
export function patternsOf({ name, isOptIn }: EventType): string[] {
  if (isOptIn) return [name];
  const parts = name.split('.');
  const prefixes = parts.slice(0, -1).map((_, at) => `${parts.slice(0, at + 1).join('.')}.*`);
  return [name, ...prefixes, '*'];
}
