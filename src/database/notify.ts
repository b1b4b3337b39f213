import type { Database } from './client.ts';

const channel = 'onward_work';

/**
 * Tells the workers which rows wait. The notice goes out after the commit, in a statement of its
 * own: NOTIFY inside business transactions would serialise their commits. It goes out at once, or
 * with all that comes until `paceMs` have passed since the last one. Losing one costs the poll
 * interval, nothing else.
 */
export function createNotifier(
  database: () => Database,
  paceMs = 10,
): (work: ReadonlySet<string>) => void {
  const gathered = new Set<string>();
  let isWaiting = false;
  let toldAtMs = -paceMs;

  function tell() {
    isWaiting = false;
    toldAtMs = performance.now();
    const names = [...gathered].join(',');
    gathered.clear();
    database()
      .read((sql) => sql`select pg_notify(${channel}, ${names})`)
      .catch(() => undefined);
  }

  return (work) => {
    for (const name of work) gathered.add(name);
    if (isWaiting) return;
    isWaiting = true;
    const waitMs = paceMs - (performance.now() - toldAtMs);
    // A timer would take a millisecond at least.
    if (waitMs > 0) setTimeout(tell, waitMs);
    else setImmediate(tell);
  };
}

/** Whether work of this name is the business of somebody. */
export type WorkFilter = (work: string) => boolean;

/** Hears the nudges, and knows who in this process looks after what. */
export interface WorkListener {
  /** Resolves at the next nudge about the caller's concern, or after the timeout. */
  wait(timeoutMs: number, concern: WorkFilter): Promise<void>;
  /** From now on the caller looks after this by itself, until it leaves. */
  attend(concern: WorkFilter): { leave(): void };
  /** Work that nobody in this process looks after. */
  isUnattended: WorkFilter;
  stop(): void;
}

export function openListener(database: Database): WorkListener {
  const waiters = new Set<{ concern: WorkFilter; wake: () => void }>();
  const attending = new Set<WorkFilter>();
  const listening = database.listen(channel, (payload) => {
    const names = payload.split(',');
    for (const { concern, wake } of waiters) if (names.some((name) => concern(name))) wake();
  });
  return {
    wait: (timeoutMs, concern) =>
      new Promise((resolve) => {
        const waiter = {
          concern,
          wake() {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          waiter.wake();
        }, timeoutMs);
        waiters.add(waiter);
      }),
    attend(concern) {
      attending.add(concern);
      return { leave: () => void attending.delete(concern) };
    },
    isUnattended: (work) => ![...attending].some((concern) => concern(work)),
    stop() {
      listening.stop();
      for (const { wake } of waiters) wake();
    },
  };
}
