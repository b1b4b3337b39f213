import { setTimeout as pause } from 'node:timers/promises';

export interface FairScheduler {
  /** Runs work when it is the team's turn. */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>;
}

interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const realClock: Clock = { now: () => performance.now(), sleep: (ms) => pause(ms) };

/**
 * Runs one task at a time, with the waiting teams in turn. It pauses after each, so that tasks use
 * `share` of the time: imports must leave time for requests and webhooks.
 */
export function createFairScheduler(share: number, clock: Clock = realClock): FairScheduler {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isGoing = false;

  async function go(): Promise<void> {
    for (let next = takeNext(); next; next = takeNext()) {
      const startedAtMs = clock.now();
      await next();
      const tookMs = clock.now() - startedAtMs;
      if (share < 1) await clock.sleep((tookMs * (1 - share)) / share);
    }
    isGoing = false;
  }

  /** Removes and returns the next task of the team that has waited longest since its last turn. */
  function takeNext(): (() => Promise<void>) | undefined {
    for (const [teamId, works] of waiting) {
      waiting.delete(teamId);
      const work = works.shift();
      if (works.length > 0) waiting.set(teamId, works);
      if (work) return work;
    }
    return undefined;
  }

  return {
    run: <T>(teamId: string, work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const works = waiting.get(teamId) ?? [];
        works.push(async () => {
          await work().then(resolve, reject);
        });
        waiting.set(teamId, works);
        if (isGoing) return;
        isGoing = true;
        go().catch(reject);
      }),
  };
}
