import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import { createNotifier, openListener } from '../../../src/platform/database/notify.ts';
import type { WorkListener, WorkFilter } from '../../../src/platform/database/notify.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

let db: TestDatabase;
let database: Database;
let listener: WorkListener;

beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());
beforeEach(async () => {
  database = connectDatabase({ url: db.url, maxConnections: 2, applicationName: 'notify-test' });
  listener = openListener(database);
  await listened(1);
});
afterEach(async () => {
  listener.stop();
  await database.close();
});

/** Waits for so many listeners: a notification sent before a LISTEN has ended is lost. */
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

test('a work notification resolves the waits whose filter accepts it, and no others', async () => {
  const woken: string[] = [];
  const wait = (name: string) =>
    listener.wait(foreverMs, named(name)).then(() => {
      woken.push(name);
    });
  const notify = createNotifier(() => database);
  const shard = wait('shard 7');
  const relay = wait('outbox');
  notify(new Set(['shard 9']));
  // The second one arrives after the first, which has resolved its waits by then.
  notify(new Set(['shard 7']));
  await shard;
  expect(woken).toEqual(['shard 7']);
  notify(new Set(['outbox']));
  await relay;
  expect(woken).toEqual(['shard 7', 'outbox']);
});

/** Collects the notifications from this call on. */
async function hearing() {
  const heard: string[] = [];
  const listening = database.listen('onward_work', (payload) => heard.push(payload));
  await listened(2);
  return { heard, listening };
}

test('simultaneous notifications are sent as one NOTIFY', async () => {
  const { heard, listening } = await hearing();
  const notify = createNotifier(() => database);
  for (const name of ['shard 1', 'shard 2', 'shard 1']) notify(new Set([name]));
  await listener.wait(foreverMs, named('shard 2'));
  await eventually(
    () => Promise.resolve(heard),
    (notices) => notices.length > 0,
  );
  expect(heard).toEqual(['shard 1,shard 2']);
  listening.stop();
});

test('the first notification is sent immediately, and those soon after it as one', async () => {
  const { heard, listening } = await hearing();
  const notify = createNotifier(() => database, 2_000);
  for (const name of ['shard 1', 'shard 2', 'shard 3']) {
    notify(new Set([name]));
    // A turn of the event loop, in which immediate notifications are sent.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(
    () => Promise.resolve(heard),
    (notices) => notices.length > 1,
  );
  expect(heard).toEqual(['shard 1', 'shard 2,shard 3']);
  listening.stop();
});

test('work with a subscriber is not open to others until the subscriber leaves', async () => {
  const isOurs = (work: string) => work.startsWith('shard ');
  const heard: string[] = [];
  expect(listener.hasNoSubscriber('shard 3')).toBe(true);
  const attention = listener.subscribe(isOurs, (work) => heard.push(work));
  expect(listener.hasNoSubscriber('shard 3')).toBe(false);
  expect(listener.hasNoSubscriber('outbox')).toBe(true);
  createNotifier(() => database)(new Set(['shard 3', 'outbox', 'shard 4']));
  await listener.wait(foreverMs, named('outbox'));
  expect(heard).toEqual(['shard 3', 'shard 4']);
  attention.leave();
  expect(listener.hasNoSubscriber('shard 3')).toBe(true);
});

test('a wait ends when the listener stops', async () => {
  const waiting = listener.wait(foreverMs, named('outbox'));
  listener.stop();
  await waiting;
  expect(listener.hasNoSubscriber('outbox')).toBe(true);
});
