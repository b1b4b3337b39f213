import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Context, asyncLocalStorage } from '@temporalio/activity';
import type { WorkListener } from '../../../src/platform/database/notify.ts';
import { runLane } from '../../../src/platform/temporal/run-lane.ts';
import type { Round, WokenRound } from '../../../src/platform/temporal/run-lane.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

const lane = { table: 'journey_lanes', lane: 0 } as const;

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());
beforeEach(() =>
  db.look((sql) => sql`update journey_lanes set leased_until = '-infinity' where lane = 0`),
);

/** The state of the lease of the lane by the clock of the database. */
async function isLeased(): Promise<boolean> {
  const [row] = await db.look<{ is_leased: boolean }>(
    (sql) => sql`select leased_until > now() as is_leased from journey_lanes where lane = 0`,
  );
  return row?.is_leased ?? false;
}

/** A wait returns in the next turn of the event loop, so that no test sleeps. */
const listener: Pick<WorkListener, 'wait' | 'subscribe'> = {
  wait: () => new Promise((resolve) => setImmediate(resolve)),
  subscribe: () => ({ leave: () => undefined }),
};

/** Runs the rounds of the lane in an activity whose worker stops when the signal says so. */
function run(
  stopping: AbortSignal,
  rounds: readonly (Round | WokenRound)[],
  finish?: () => Promise<void>,
  using = listener,
) {
  const context: Context = Object.create(Context.prototype, {
    heartbeat: { value: () => undefined },
    cancellationSignal: { value: new AbortController().signal },
  });
  const lanes = { database: db.database, lane, stopping, details: () => undefined };
  return asyncLocalStorage.run(context, () =>
    runLane({ ...lanes, listener: using }, rounds, finish),
  );
}

test('a lane is leased while its rounds and its finish run, and released after them', async () => {
  const worker = new AbortController();
  const seen: [string, boolean][] = [];
  const round = async () => {
    seen.push(['round', await isLeased()]);
    if (seen.length === 2) worker.abort();
    return { worked: true };
  };
  await run(worker.signal, [round], async () => {
    seen.push(['finish', await isLeased()]);
  });
  expect(seen).toEqual([
    ['round', true],
    ['round', true],
    ['finish', true],
  ]);
  expect(await isLeased()).toBe(false);
});

test('a failure of one loop ends the others, skips the finish and lets the lease expire', async () => {
  let rounds = 0;
  let roundsAtFailure = -1;
  let isFinished = false;
  const steady = () => Promise.resolve({ worked: (rounds += 1) > 0 });
  const failing = async () => {
    while (rounds < 3) await new Promise((resolve) => setImmediate(resolve));
    roundsAtFailure = rounds;
    throw new Error('lost');
  };
  const idle = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return steady();
  };
  const finish = () => Promise.resolve(void (isFinished = true));
  await expect(run(new AbortController().signal, [idle, failing], finish)).rejects.toThrow('lost');
  const roundsThen = rounds;
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(roundsAtFailure).toBeGreaterThanOrEqual(3);
  expect(rounds - roundsThen).toBeLessThanOrEqual(1);
  expect(isFinished).toBe(false);
  expect(await isLeased()).toBe(true);
});

test('work that is announced during a round is looked for without a pause', async () => {
  const worker = new AbortController();
  const steps: string[] = [];
  let announce: (work: string) => void = () => undefined;
  const waiting: typeof listener = {
    wait: () => {
      steps.push('wait');
      if (steps.length > 3) worker.abort();
      return Promise.resolve();
    },
    subscribe: (filter, onWork) => {
      announce = (work) => {
        if (filter(work)) onWork(work);
      };
      return { leave: () => void steps.push('leave') };
    },
  };
  const round = () => {
    steps.push('round');
    if (steps.length === 1) announce('ours');
    else announce('theirs');
    return Promise.resolve({ worked: false });
  };
  await run(worker.signal, [{ round, work: 'ours' }], undefined, waiting);
  expect(steps).toEqual(['round', 'round', 'wait', 'round', 'wait', 'leave']);
});
