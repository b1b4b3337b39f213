import type { Duration } from '@temporalio/common';
import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/workflow';
import { changedSignal } from '../src/platform/jobs/shape.ts';

export const changed = defineSignal(changedSignal);

/** Remembers a signal without content, which means that the rows of the workflow have changed. */
export interface SignalLatch {
  /** Call it before the rows are read, so that no signal is lost. */
  clear(): void;
  /** Whether the signal has come since the last `clear`. */
  isSet(): boolean;
  /** As if the signal had come. */
  set(): void;
  /**
   * Waits for the signal, no longer than this: milliseconds, or words such as `10 minutes`. The
   * Temporal UI shows the summary with the timer.
   */
  wait(atMost: Duration, summary: string): Promise<boolean>;
}

export function createSignalLatch(signal: SignalDefinition): SignalLatch {
  let isSet = false;
  setHandler(signal, () => {
    isSet = true;
  });
  return {
    clear() {
      isSet = false;
    },
    isSet: () => isSet,
    set() {
      isSet = true;
    },
    wait: (atMost, summary) => condition(() => isSet, atMost, { summary }),
  };
}
