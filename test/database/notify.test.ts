import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connectDatabase } from '../../src/database/client.ts';
import type { Database } from '../../src/database/client.ts';
import { createNotifier, openListener } from '../../src/database/notify.ts';
import type { WorkListener, WorkFilter } from '../../src/database/notify.ts';
import { cloneDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let db: TestDatabase;
let database: Database;
let bell: WorkListener;

beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());
beforeEach(async () => {
  database = connectDatabase({ url: db.url, maxConnections: 2, applicationName: 'nudge-test' });
  bell = openListener(database);
  await listened(1);
});
afterEach(async () => {
  bell.stop();
  await database.close();
});

/** Until so many listen: a notice that goes out while LISTEN is still under way is not heard. */
const listened = (count: number) =>
  eventually(
    async () =>
      db.look(
        (sql) => sql`
          select 1 from pg_stat_activity
          where datname = current_database()
            and query like 'listen%onward_work%' and state = 'idle'`,
      ),
    (listeners) => listeners.length === count,
  );

const foreverMs = 600_000;
const named =
  (name: string): WorkFilter =>
  (work) =>
    work === name;

test('a nudge wakes those whom it concerns, and nobody else', async () => {
  const woken: string[] = [];
  const wait = (name: string) =>
    bell.wait(foreverMs, named(name)).then(() => {
      woken.push(name);
    });
  const nudge = createNotifier(() => database);
  const shard = wait('shard 7');
  const relay = wait('wakes');
  nudge(new Set(['shard 9']));
  // The second nudge is heard after the first, which by then has woken whomever it would.
  nudge(new Set(['shard 7']));
  await shard;
  expect(woken).toEqual(['shard 7']);
  nudge(new Set(['wakes']));
  await relay;
  expect(woken).toEqual(['shard 7', 'wakes']);
});

/** What is told from now on. */
async function hearing() {
  const heard: string[] = [];
  const listening = database.listen('onward_work', (payload) => heard.push(payload));
  await listened(2);
  return { heard, listening };
}

test('nudges of one moment travel as one notice', async () => {
  const { heard, listening } = await hearing();
  const nudge = createNotifier(() => database);
  for (const name of ['shard 1', 'shard 2', 'shard 1']) nudge(new Set([name]));
  await bell.wait(foreverMs, named('shard 2'));
  await eventually(
    () => Promise.resolve(heard),
    (notices) => notices.length > 0,
  );
  expect(heard).toEqual(['shard 1,shard 2']);
  listening.stop();
});

test('the first nudge is told at once, those soon after it together', async () => {
  const { heard, listening } = await hearing();
  const nudge = createNotifier(() => database, 2_000);
  for (const name of ['shard 1', 'shard 2', 'shard 3']) {
    nudge(new Set([name]));
    // A turn of the event loop, in which what goes out at once has gone.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(
    () => Promise.resolve(heard),
    (notices) => notices.length > 1,
  );
  expect(heard).toEqual(['shard 1', 'shard 2,shard 3']);
  listening.stop();
});

test('attended work is nobody else’s, until whoever attends leaves', () => {
  const isOurs = (work: string) => work.startsWith('shard ');
  expect(bell.isUnattended('shard 3')).toBe(true);
  const attention = bell.attend(isOurs);
  expect(bell.isUnattended('shard 3')).toBe(false);
  expect(bell.isUnattended('wakes')).toBe(true);
  attention.leave();
  expect(bell.isUnattended('shard 3')).toBe(true);
});

test('a wait ends when the bell stops', async () => {
  const waiting = bell.wait(foreverMs, named('wakes'));
  bell.stop();
  await waiting;
  expect(bell.isUnattended('wakes')).toBe(true);
});
