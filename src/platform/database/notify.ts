import type { Database } from './client.ts';

const channel = 'onward_work';

/**
 * Sends work notifications (NOTIFY) to the workers. A notification is sent after the commit, in its
 * own statement: NOTIFY inside business transactions would serialize their commits. It is sent
 * immediately, or together with all others until `paceMs` after the last one. It does not wait for
 * the disk, since it writes nothing else. A lost notification costs one poll interval.
 */
export function createNotifier(
  database: () => Database,
  paceMs = 5,
): (work: ReadonlySet<string>) => void {
  const pending = new Set<string>();
  let isWaiting = false;
  let sentAtMs = -paceMs;

  function send() {
    isWaiting = false;
    sentAtMs = performance.now();
    const names = [...pending].join(',');
    pending.clear();
    database()
      .read(
        (sql) => sql`
          select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${names})`,
      )
      .catch(() => undefined);
  }

  return (work) => {
    for (const name of work) pending.add(name);
    if (isWaiting) return;
    isWaiting = true;
    const waitMs = paceMs - (performance.now() - sentAtMs);
    // A timer would take a millisecond at least.
    if (waitMs > 0) setTimeout(send, waitMs);
    else setImmediate(send);
  };
}

/** Whether a subscriber handles work of this name. */
export type WorkFilter = (work: string) => boolean;

/** Receives work notifications, and passes them to the subscribers of this process. */
export interface WorkListener {
  /** Resolves at the next notification that the filter accepts, or after the timeout. */
  wait(timeoutMs: number, filter: WorkFilter): Promise<void>;
  /** The caller handles this work by itself until it leaves; `onWork` is called for each. */
  subscribe(filter: WorkFilter, onWork: (work: string) => void): { leave(): void };
  /** Work that no subscriber of this process handles. */
  hasNoSubscriber: WorkFilter;
  /** Postgres backend of its connection; undefined while there is none. */
  backendPid(): number | undefined;
  stop(): void;
}

export function openListener(database: Database): WorkListener {
  const waiters = new Set<{ filter: WorkFilter; wake: () => void }>();
  const subscribers = new Set<{ filter: WorkFilter; onWork: (work: string) => void }>();
  const listening = database.listen(channel, (payload) => {
    const names = payload.split(',');
    for (const { filter, onWork } of subscribers) names.filter(filter).forEach(onWork);
    for (const { filter, wake } of waiters) if (names.some((name) => filter(name))) wake();
  });
  return {
    wait: (timeoutMs, filter) =>
      new Promise((resolve) => {
        const waiter = {
          filter,
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
    subscribe(filter, onWork) {
      const subscriber = { filter, onWork };
      subscribers.add(subscriber);
      const leave = () => {
        subscribers.delete(subscriber);
      };
      return { leave };
    },
    hasNoSubscriber: (work) => ![...subscribers].some(({ filter }) => filter(work)),
    backendPid: listening.backendPid,
    stop() {
      listening.stop();
      for (const { wake } of waiters) wake();
    },
  };
}
