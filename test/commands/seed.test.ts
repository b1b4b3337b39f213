import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { samplesRunBy } from '../site/samples.ts';
import { outcomeOf, runEntry, startLine } from './spawn.ts';

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const seed = (of: TestTeam, ...args: string[]) =>
  runEntry('src/commands/seed.ts', ['--team', of.id, '--contacts', '1500', ...args], {
    DATABASE_OWNER_URL: api.db.ownerUrl,
  });

/** Figures of the year that depend only on the seed, not on the team. */
const drawn = (of: TestTeam) =>
  api.db.look(
    (sql) => sql`
      select t.name, j.status, j.seq, j.enrolled_at, d.channel, d.status as outcome, count(*)
      from journeys j
      join templates t on t.team_id = j.team_id and t.id = j.template_id
      left join message_deliveries d on d.team_id = j.team_id and d.journey_id = j.id
      where j.team_id = ${of.id}
      group by 1, 2, 3, 4, 5, 6 order by 4, 1, 2, 3, 5, 6`,
  );

const events = (of: TestTeam) =>
  api.db.look(
    (sql) => sql<{ kinds: number; months: number; events: number; last: Date }[]>`
      select count(distinct kind)::int as kinds, count(*)::int as events,
        count(distinct date_trunc('month', occurred_at))::int as months,
        max(occurred_at) as last
      from engagement_events where team_id = ${of.id}`,
  );

test('a seeded year has events in every month and figures in every insight', async () => {
  const { code, stdout, stderr } = await seed(team, '--events', '20000');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/100 % {2}[\d,]+ events/);
  const [year] = await events(team);
  expect(year?.events).toBeGreaterThan(16_000);
  expect(year?.events).toBeLessThan(24_000);
  expect(year?.months).toBeGreaterThanOrEqual(12);
  expect(year?.kinds).toBeGreaterThan(25);
  expect(new Date(year?.last ?? 0).getTime()).toBeLessThanOrEqual(Date.now());
  const { body: catalog } = await team.get('/v2/partner/insights');
  for (const { path } of catalog.data) {
    if (path.includes('{template_id}')) continue;
    const { status, body } = await team.get(`${String(path)}?period=P364D`);
    expect([path, status]).toEqual([path, 200]);
    // Besides rates: figures that are more than 0.
    expect(JSON.stringify(body.value)).toMatch(/":[1-9]/);
  }
});

test('the API answers every question about what was seeded', async () => {
  const { body: document } = await team.get('/v2/meta/openapi.json');
  const asked: string[] = [];
  for (const noun of ['templates', 'contacts', 'journeys', 'messages', 'objectives']) {
    const { body: list } = await team.get(`/v2/partner/${noun}?page[size]=1`);
    const item = `/v2/partner/${noun}/{id}`;
    for (const [path, operations] of Object.entries<any>(document.paths)) {
      if (!operations.get || !(path === item || path.startsWith(`${item}/`))) continue;
      if (path.replace('{id}', '').includes('{')) continue;
      const { status } = await team.get(path.replace('{id}', String(list.data[0].id)));
      expect([path, status]).toEqual([path, 200]);
      asked.push(path);
    }
  }
  expect(asked).toContain('/v2/partner/templates/{id}/status-history');
  expect(asked.length).toBeGreaterThan(20);
});

test('the commands of docs/insights.md fill a new team each', async () => {
  const [sample] = samplesRunBy('docs/insights.md', 'test/commands/seed.test.ts');
  const lines = sample?.text.trim().split('\n') ?? [];
  expect(lines).toHaveLength(2);
  const own = { DATABASE_OWNER_URL: api.db.ownerUrl };
  const teams = await Promise.all(
    lines.map(async (line) => {
      const outcome = await outcomeOf(startLine(line, own));
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      return /[0-9a-f-]{36}/.exec(outcome.stdout)?.[0];
    }),
  );
  const filled = await api.db.look(
    (sql) => sql<{ team_id: string }[]>`
      select team_id from engagement_events where team_id = any(${teams.map(String)})
      group by team_id having count(*) > 80000`,
  );
  expect(filled).toHaveLength(2);
});

test('seeding sends no event, message or signal', async () => {
  const told = await api.db.look(
    (sql) => sql`
      select team_id from webhook_events where team_id = ${team.id}
      union all select team_id from workflow_outbox where team_id = ${team.id}
      union all select team_id from message_sends where team_id = ${team.id}
      union all select team_id from journeys
      where team_id = ${team.id} and next_due_at is not null`,
  );
  expect(told).toEqual([]);
});

test('the same seed creates the same year, and a repeat adds nothing', async () => {
  const other = await api.newTeam();
  await seed(other, '--events', '1500', '--seed', '9');
  const first = await drawn(other);
  const [before] = await events(other);
  await seed(other, '--events', '1500', '--seed', '9');
  expect((await events(other))[0]?.events).toBe(before?.events);
  const third = await api.newTeam();
  await seed(third, '--events', '1500', '--seed', '9');
  expect(await drawn(third)).toEqual(first);
  const fourth = await api.newTeam();
  await seed(fourth, '--events', '1500', '--seed', '10');
  expect(await drawn(fourth)).not.toEqual(first);
});

test('a number out of bounds is refused with its range', async () => {
  const { code, stderr } = await seed(team, '--events', 'many');
  expect([code, stderr]).toEqual([1, '--events takes a number from 0 to 50,000,000.\n']);
});
