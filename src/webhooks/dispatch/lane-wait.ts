/** Waits of a drain. No wake-up is lost: one that comes between two waits ends the next. */
export function createLaneWait() {
  let isWoken = false;
  let endRest: (() => void) | undefined;

  return {
    wakeUp() {
      isWoken = true;
      endRest?.();
    },
    /** Waits for `wakeUp`, at most this long. */
    async rest(ms: number): Promise<void> {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endRest = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      endRest = undefined;
      isWoken = false;
    },
  };
}
