import type { Duration } from '@temporalio/common';
import { condition, setHandler } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/workflow';

/** Signals without content, which tell a workflow that its rows have changed. */
export interface Nudges {
  /** Forgets those so far. To be called before the rows are read, so that none is lost. */
  forget(): void;
  /** Whether one has come since: whoever changed the rows as they were read is not told again. */
  came(): boolean;
  /** Waits for one, no longer than this: milliseconds, or words such as `10 minutes`. */
  wait(atMost: Duration): Promise<boolean>;
}

export function hearNudges(signal: SignalDefinition): Nudges {
  let nudged = false;
  setHandler(signal, () => {
    nudged = true;
  });
  return {
    forget() {
      nudged = false;
    },
    came: () => nudged,
    wait: (atMost) => condition(() => nudged, atMost),
  };
}
