import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHook } from '../../../src/platform/events/hook.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());

test('handlers run one after the other, each once, in the order of their registration', async () => {
  const calls: string[] = [];
  const changed = createHook<string>('changed');
  const slow = async (_sql: unknown, teamId: string, change: string) => {
    await new Promise(setImmediate);
    calls.push(`slow ${teamId} ${change}`);
  };
  const quick = (_sql: unknown, teamId: string, change: string) => {
    calls.push(`quick ${teamId} ${change}`);
    return Promise.resolve();
  };
  changed.register(slow);
  changed.register(quick, slow);
  await db.database.transact((sql) => changed(sql, 'team', 'a'));
  expect(calls).toEqual(['slow team a', 'quick team a']);
});

test('an error of a handler keeps later handlers from running', async () => {
  const changed = createHook<string>('changed');
  const later: string[] = [];
  changed.register(
    () => Promise.reject(new Error('refused')),
    (_sql, _teamId, change) => Promise.resolve(later.push(change)),
  );
  await expect(db.database.transact((sql) => changed(sql, 'team', 'a'))).rejects.toThrow('refused');
  expect(later).toEqual([]);
});

test('a hook without a handler throws', async () => {
  const forgotten = createHook<string>('forgotten');
  await expect(db.database.transact((sql) => forgotten(sql, 'team', 'a'))).rejects.toThrow(
    'The hook forgotten has no handler.',
  );
});
