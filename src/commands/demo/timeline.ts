import { print } from '../command.ts';

/** Prints an event of the demo: seconds since the start, actor, action. */
export type Timeline = (who: string, what: string) => void;

export function startTimeline(): Timeline {
  const startedAtMs = Date.now();
  return (who, what) => {
    const seconds = ((Date.now() - startedAtMs) / 1_000).toFixed(1);
    print(`${seconds.padStart(6)} s  ${who.padEnd(9)}  ${what}`);
  };
}
