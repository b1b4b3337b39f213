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

/** Some menus of the browser take the end of a press for themselves. */
const longestPressMs = 2_000;
let press: { end: () => void; isOver: Promise<void> } | undefined;

/** Waits for the end of a press: the click on something that is drawn again meanwhile is lost. */
export const untilReleased = async (): Promise<void> => press?.isOver;

function begin(): void {
  if (press) return;
  let end: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => (end = resolve));
  press = { end, isOver };
  setTimeout(end, longestPressMs);
}

function release(): void {
  // The click comes after the release, and before anything that waits.
  setTimeout(press?.end ?? (() => undefined));
  press = undefined;
}

addEventListener('pointerdown', begin, true);
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, release, true);
// Not in the capture phase: a press takes the focus from an element, which is a blur as well.
addEventListener('blur', release);
// A button is clicked when the space bar is released.
addEventListener('keydown', ({ key }) => key === ' ' && begin(), true);
addEventListener('keyup', release, true);
