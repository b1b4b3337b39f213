import type { WorkListener } from '../../platform/database/notify.ts';

/** Waits of a drain, each for the first of several causes. */
export function createLaneWait(
  listener: Pick<WorkListener, 'wait'>,
  isOurs: (work: string) => boolean,
  /** Called at a work notification, and at the next poll. */
  onWork: () => void,
) {
  let wakeUp: () => void = () => undefined;
  let listening: Promise<void> | undefined;

  /** Waits for a work notification or for the next poll, one wait at a time. */
  function listen(pauseMs: number): Promise<void> {
    listening ??= listener.wait(pauseMs, isOurs).then(() => {
      listening = undefined;
      onWork();
    });
    return listening;
  }

  return {
    wakeUp: () => {
      wakeUp();
    },
    /** Waits for `wakeUp`, a work notification, the poll, or the next slot of a limited one. */
    async rest(pauseMs: number, slotInMs: number): Promise<void> {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      const timer = Number.isFinite(slotInMs) ? setTimeout(() => wakeUp(), slotInMs) : undefined;
      await Promise.race([woken, listen(pauseMs)]);
      clearTimeout(timer);
    },
  };
}
