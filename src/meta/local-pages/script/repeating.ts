/** Calls `work` again and again while the page is visible, never twice at once. Returns its end. */
export function repeat(everyMs: number | undefined, work: () => Promise<void>): () => void {
  if (everyMs === undefined) return () => undefined;
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning || document.hidden) return;
    isRunning = true;
    void work().finally(() => (isRunning = false));
  }, everyMs);
  return () => {
    clearInterval(timer);
  };
}
