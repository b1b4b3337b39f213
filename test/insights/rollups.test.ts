import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Sql } from '../../src/platform/database/sql.ts';
import { DatabaseUnavailable } from '../../src/platform/database/failures.ts';
import {
  listTeamsToSum,
  pruneSums,
  reconcileHours,
  sumHours,
} from '../../src/insights/rollups/queries.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { judges } from './judge.ts';
import { drawing, liveALife, readRows } from './rows.ts';

// Dozens of answers, each held against a reading of all rows.

const api = useTestApi();
let team: TestTeam;
beforeEach(async () => {
  team = await api.newTeam();
  await liveALife(api, team, drawing(11));
});

const all = { changed: 100_000, passed: 100_000 };
const sum = (portion = all) => api.db.database.transact((sql) => sumHours(sql, team.id, portion));
const reconcile = () =>
  api.db.database.transact((sql) => reconcileHours(sql, team.id, 24 * 365 * 2));
const write = (work: (sql: Sql) => Promise<unknown>) => api.db.database.transact(work);
/** Hours that were summed and have changed since. */
const marks = async () => {
  const rows = await api.db.look(
    (sql) => sql`
      select hour from delivery_rollup_dirty_hours c join delivery_rollup_progress s using (team_id)
      where c.team_id = ${team.id} and c.hour < s.rolled_up_until`,
  );
  return rows.length;
};

async function ask(query: Record<string, string>) {
  const at = `/v2/partner/insights/advanced/messages?${new URLSearchParams(query).toString()}`;
  const { status, body } = await team.get(at);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** Every answer is what the rows say, over changes of clocks, odd hours and whole years. */
async function isRight(kind?: 'live' | 'rollup'): Promise<void> {
  const rows = await readRows(api, team);
  for (const timezone of ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe']) {
    for (const period of ['2026', 'P90D', '2026-04-01/2026-10-10', '2026-05-02T10:20/PT500H']) {
      const { value, source } = await ask({ period, timezone });
      const start = Date.parse(source.window.start);
      const end = Date.parse(source.window.end);
      const wanted = judges['messages']?.(rows, { start, end, bucket: source.bucket, starts: [] });
      expect({ timezone, period, kind: source.kind, value }).toEqual({
        ...{ timezone, period, kind: kind ?? source.kind },
        value: wanted,
      });
    }
  }
}

test('rollups and recent rows together give the figures of all rows', async () => {
  await isRight('live');
  expect(await sum()).toMatchObject({ hasMore: false });
  await isRight('rollup');
  const { source, computed_at, expires_at } = await ask({ period: 'P90D' });
  expect(source.data_through).toBe(computed_at);
  expect(Date.parse(expires_at) - Date.parse(computed_at)).toBe(300_000);
  // A cohort is not in the sums, and an hour alone has none.
  const cohort = (await readRows(api, team)).cohorts[0].id;
  const narrowed = await ask({ period: 'P90D', 'filter[cohort_id]': cohort });
  expect([narrowed.source.kind, narrowed.expires_at]).toEqual(['live', undefined]);
  const short = await ask({ period: '2026-05-02T10:20/PT1H' });
  expect(short.source.kind).toBe('live');
});

test('the rollup watermark of another team does not apply to this one', async () => {
  await sum();
  team = await api.newTeam();
  await liveALife(api, team, drawing(12));
  await write((sql) => sql`delete from delivery_rollup_dirty_hours where team_id = ${team.id}`);
  await isRight('live');
});

test('filters that the rollups cover are answered from them', async () => {
  await sum();
  const rows = await readRows(api, team);
  const [{ id }] = rows.templates as [{ id: string }];
  const deliveries = rows.message_deliveries.filter(
    ({ template_id, channel }) => template_id === id && channel === 'email',
  );
  const { value, source } = await ask({
    ...{ period: '2026', 'filter[template_id]': id, 'filter[channel]': 'email' },
  });
  const window = { bucket: '', starts: [], start: Date.parse(source.window.start) };
  expect(source.kind).toBe('rollup');
  expect(value).toEqual(
    judges['messages']?.(
      { ...rows, message_deliveries: deliveries },
      { ...window, end: Date.parse(source.window.end) },
    ),
  );
});

describe('a late change', () => {
  beforeEach(async () => {
    await sum();
  });

  test('is in the next answer, and in the rollups after the next refresh', async () => {
    const changes: ((sql: Sql) => Promise<unknown>)[] = [
      // Opened, bounced late, moved to another hour, deleted, and an old one that is inserted now.
      (sql) => sql`
        update message_deliveries set first_opened_at = now(), machine_open_count = 1
        where team_id = ${team.id} and first_opened_at is null`,
      (sql) => sql`
        update message_deliveries set status = 'bounced', delivered_at = null
        where team_id = ${team.id} and get_byte(uuid_send(id), 0) < 60 and sent_at is not null`,
      (sql) => sql`
        update message_deliveries set sent_at = sent_at - interval '45 minutes'
        where team_id = ${team.id} and get_byte(uuid_send(id), 1) < 60 and sent_at is not null`,
      (sql) => sql`
        insert into message_deliveries (team_id, message_id, template_id, contact_id, channel, status,
          sent_at, inserted_at)
        select team_id, message_id, template_id, contact_id, channel, 'sent', '2026-01-03T04:05:06Z',
          '2026-01-03T04:05:06Z'
        from message_deliveries where team_id = ${team.id} limit 3`,
    ];
    for (const change of changes) {
      await write(change);
      expect(await marks()).toBeGreaterThan(0);
      await isRight();
    }
    await api.db.look(
      (sql) => sql`
        delete from message_deliveries where team_id = ${team.id} and get_byte(uuid_send(id), 2) < 60`,
    );
    await isRight();
    await sum();
    expect(await marks()).toBe(0);
    await isRight('rollup');
    expect(await reconcile()).toMatchObject({ corrected: 0 });
  });

  test('of a few hours is read from rows, and all other hours from rollups', async () => {
    await write(
      (sql) => sql`
        update message_deliveries set first_opened_at = null, status = 'bounced'
        where team_id = ${team.id} and get_byte(uuid_send(id), 3) < 25`,
    );
    const changed = await marks();
    expect([changed > 10, changed < 200]).toEqual([true, true]);
    await isRight('rollup');
  });

  test('marks each hour of a statement dirty once, and marks nothing for current rows', async () => {
    const [summed] = await api.db.look(
      (sql) => sql<{ hours: number }[]>`
        select count(distinct date_trunc('hour', coalesce(d.sent_at, d.failed_at), 'UTC')) as hours
        from message_deliveries d join delivery_rollup_progress s on s.team_id = d.team_id
        where d.team_id = ${team.id} and coalesce(d.sent_at, d.failed_at) < s.rolled_up_until`,
    );
    await write(
      (sql) => sql`update message_deliveries set click_count = 1 where team_id = ${team.id}`,
    );
    expect(await marks()).toBe(summed?.hours);
    await sum();
    await write(
      (sql) => sql`
        insert into message_deliveries (team_id, message_id, template_id, contact_id, channel, status,
          sent_at)
        select team_id, message_id, template_id, contact_id, channel, 'sent', now()
        from message_deliveries where team_id = ${team.id} limit 3`,
    );
    const all = await api.db.look(
      (sql) => sql`
        select from delivery_rollup_dirty_hours where team_id = ${team.id} and inserted_at >= (
          select max(inserted_at) from message_deliveries where team_id = ${team.id})`,
    );
    expect([all.length, await marks()]).toEqual([0, 0]);
    await isRight('rollup');
  });

  test('that commits during a refresh is not lost', async () => {
    const late = write(async (sql) => {
      await sql`
        update message_deliveries set first_opened_at = now()
        where team_id = ${team.id} and first_opened_at is null and delivered_at is not null`;
      // The concurrent refresh sees neither the change nor its dirty hours.
      await sum();
    });
    await late;
    expect(await marks()).toBeGreaterThan(0);
    await isRight();
    await sum();
    await isRight('rollup');
    expect(await reconcile()).toMatchObject({ corrected: 0 });
  });
});

test('an interrupted refresh retains its finished hours, and the next one continues', async () => {
  const part = { changed: 10, passed: 24 * 40 };
  expect(await sum(part)).toMatchObject({ hasMore: true });
  await isRight();
  const killed = api.db.database.transact(async (sql) => {
    await sumHours(sql, team.id, all);
    await sql`select pg_terminate_backend(pg_backend_pid())`;
  });
  await expect(killed).rejects.toThrow(DatabaseUnavailable);
  await isRight();
  for (let hasMore = true; hasMore;) ({ hasMore } = await sum(part));
  expect(await reconcile()).toMatchObject({ corrected: 0 });
  const open = await api.db.database.read((sql) => listTeamsToSum(sql, 1_000));
  expect(open.map(({ id }) => id)).not.toContain(team.id);
});

test('two concurrent refreshes leave correct rollups', async () => {
  await Promise.all([sum(), sum(), sum()]);
  await isRight('rollup');
  expect(await reconcile()).toMatchObject({ corrected: 0 });
});

test('wrong rollups are found, reported and corrected, hour by hour', async () => {
  await sum();
  await api.db.look(
    (sql) => sql`
      with spoilt as (
        select hour from delivery_counts_hourly where team_id = ${team.id} group by hour order by hour limit 3
      )
      update delivery_counts_hourly set sent = sent + 1
      where team_id = ${team.id} and hour in (select hour from spoilt)`,
  );
  await api.db.look(
    (sql) => sql`
      delete from delivery_counts_hourly where team_id = ${team.id} and hour = (
        select max(hour) from delivery_counts_hourly where team_id = ${team.id})`,
  );
  const { corrected, hours } = await reconcile();
  expect([corrected, hours > 24 * 90]).toEqual([4, true]);
  await isRight('rollup');
  // It begins again after the last.
  expect(await reconcile()).toEqual({ corrected: 0, hours });
});

test('rollups of months whose deliveries are deleted are deleted too', async () => {
  await sum();
  await api.db.look(
    (sql) => sql`
      insert into delivery_counts_hourly
      select team_id, hour - interval '1200 days', message_id, template_id, channel, variant_key,
        sent, delivered, bounced, failed, opened, opened_machine, clicked, unsubscribed, complained
      from delivery_counts_hourly where team_id = ${team.id}`,
  );
  await api.db.database.read((sql) => pruneSums(sql, 25));
  expect(await reconcile()).toMatchObject({ corrected: 0 });
  await isRight('rollup');
});
