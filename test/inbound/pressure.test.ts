import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aReceiver, anEvent, codeOf } from './a-receiver.ts';

let api: TestApi;
let team: TestTeam;
beforeAll(async () => {
  // Behind a proxy that forwards client addresses.
  api = await startTestApi({
    ...{ TRUSTED_PROXIES: '1', UNAUTHENTICATED_BURST: '20', UNAUTHENTICATED_PER_SECOND: '1' },
  });
  team = await api.newTeam();
});
afterAll(() => api.stop());

const times = <Made>(count: number, make: (at: number) => Made) =>
  Array.from({ length: count }, (_, at) => make(at));

test('an address with repeated refusals is rate limited, and other addresses are not', async () => {
  const receiver = await aReceiver(api, team);
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const guess = () => api.call('POST', receiver.path, { raw: '{}', ...from('192.0.2.1') });
  // Calls with a valid signature return what they take from the budget of the address, which has room
  // for twenty calls under way.
  for (const call of times(100, () => () => receiver.send(anEvent(), from('192.0.2.1'))))
    expect(codeOf(await call())).toBe('200 accepted');
  expect(codeOf(await guess())).toBe('401 signature_missing');
  // During repeated guesses even a valid call of the address is refused unread.
  const refused = await eventually(
    async () => {
      const guesses = await Promise.all(times(100, guess));
      for (const { status } of guesses) expect([401, 429]).toContain(status);
      return receiver.send(anEvent(), from('192.0.2.1'));
    },
    ({ status }) => status !== 200,
  );
  expect(codeOf(refused)).toBe('429 rate_limited');
  const [{ meta }] = refused.body.errors;
  expect(meta.class).toBe('address');
  expect(meta.retry_after_seconds).toBeGreaterThan(0);
  expect(refused.headers.get('retry-after')).toBe(String(meta.retry_after_seconds));
  expect(codeOf(await receiver.send(anEvent(), from('192.0.2.2')))).toBe('200 accepted');
  // Nor is another receiver that the same address calls.
  const another = await aReceiver(api, team);
  expect(codeOf(await another.send(anEvent(), from('192.0.2.1')))).toBe('200 accepted');
});

test('one callback that cannot be stored does not affect others in the same transaction', async () => {
  const receiver = await aReceiver(api, team);
  // A sequence retains counts of a transaction that is rolled back.
  await api.db.look((sql) => sql`create sequence refusals`);
  await api.db.look(
    (sql) => sql`
      create function refuse_poison() returns trigger language plpgsql security definer as $$ begin
        if new.event_type = 'poison' then
          perform nextval('refusals');
          raise exception 'no';
        end if;
        return new;
      end $$`,
  );
  await api.db.look(
    (sql) => sql`
      create trigger refuse_poison before insert on inbound_deliveries
      for each row execute function refuse_poison()`,
  );
  let bad = 0;
  let good = 0;
  const refusals = async () => {
    const [row] = await api.db.look(
      (sql) => sql<{ count: number }[]>`
        select case when is_called then last_value::int else 0 end as count from refusals`,
    );
    return row?.count ?? 0;
  };
  // A second refusal shows that the bad one ran with others first, and then alone.
  await eventually(
    async () => {
      const replies = await Promise.all(
        times(20, (at) => receiver.send(anEvent(at === 10 ? { event_type: 'poison' } : {}))),
      );
      bad += 1;
      good += 19;
      expect(replies.map(codeOf)).toEqual(
        times(20, (at) => (at === 10 ? '503 unavailable' : '200 accepted')),
      );
      expect(replies[10]?.headers.get('retry-after')).toBe('30');
      return (await refusals()) - bad;
    },
    (together) => together > 0,
  );
  const { meta } = await receiver.deliveries('?meta=count');
  expect(meta.count).toBe(good);
});
