import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { insertNotice } from '../../src/messaging/notices/queries.ts';
import { putBackSends } from '../../src/messaging/send-queue/queries.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { takeShared } from './claims.ts';

const api = useTestApi();

test('a message to a visitor of a form is claimed apart from all waiting messages', async () => {
  const team = await api.newTeam();
  const contact = randomUUID();
  const [{ lane } = { lane: 0 }] = await api.db.look(
    (sql) => sql<{ lane: number }[]>`select lane_of_contact(${contact}) as lane`,
  );
  await api.db.look(
    (sql) => sql`
      insert into message_sends
        (team_id, id, lane, channel, delivery_inserted_at, next_attempt_at)
      select ${team.id}, gen_random_uuid(), ${lane}, 'email', now(), now() - interval '1 day'
      from generate_series(1, 50)
      returning id`,
  );
  const id = randomUUID();
  const [first = [], next = []] = await api.db.look(async (sql) => {
    const about = { id, recipient_id: contact, channel: 'email' } as const;
    await insertNotice(sql, team.id, { ...about, notice: 'identity_code' });
    const room = { channel: 'email', room: 1 } as const;
    const now = Date.now();
    return [await takeShared(sql, lane, room, now, true), await takeShared(sql, lane, room, now)];
  });
  expect(first).toMatchObject([{ id, notice: 'identity_code', attempts: 0 }]);
  expect(next).toMatchObject([{ notice: null, attempts: 0 }]);
});

test('a claim that is lost uses up no attempt; a failed attempt does', async () => {
  const { id: team_id } = await api.newTeam();
  const [id, lane] = [randomUUID(), 3];
  await api.db.look(
    (sql) => sql`
      insert into message_sends
        (team_id, id, lane, channel, delivery_inserted_at, next_attempt_at)
      values (${team_id}, ${id}, ${lane}, 'push', now(), now() - interval '1 hour')`,
  );
  const take = (afterMs: number) =>
    api.db.look((sql) => takeShared(sql, lane, { channel: 'push', room: 1 }, Date.now() + afterMs));
  expect(await take(0)).toMatchObject([{ id, attempts: 0 }]);
  expect(await take(0)).toEqual([]);
  expect(await take(61_000)).toMatchObject([{ id, attempts: 0 }]);
  const at = new Date().toISOString();
  const putBack = (is_attempt: boolean) =>
    api.db.database.transact((sql) =>
      putBackSends(sql, [{ team_id, id, at, is_attempt, is_passed: false }]),
    );
  await putBack(false);
  expect(await take(0)).toMatchObject([{ id, attempts: 0 }]);
  await putBack(true);
  expect(await take(0)).toMatchObject([{ id, attempts: 1 }]);
});
