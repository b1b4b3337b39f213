import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { addedValueByTime } from '../../src/insights/answers/added-value-by-time.ts';
import { limitStatements } from '../../src/insights/cache/queries.ts';
import { judges } from './judge.ts';
import type { Window } from './judge.ts';
import { drawing, liveALife, readRows } from './rows.ts';
import type { Rows } from './rows.ts';

const path = '/v2/partner/insights/advanced';
const names = Object.keys(judges);
const api = useTestApi();
let team: TestTeam;
let rows: Rows;

beforeAll(async () => {
  team = await api.newTeam();
  await liveALife(api, team, drawing(7));
  // A neighbor whose life must count nowhere.
  await liveALife(api, await api.newTeam(), drawing(8));
  rows = await readRows(api, team);
});

async function ask(at: string, query: Record<string, string>) {
  const reply = await team.get(`${at}?${new URLSearchParams(query).toString()}`);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

function windowOf({ source, value }: any): Window {
  const { window, bucket } = source;
  return {
    start: Date.parse(window.start),
    end: Date.parse(window.end),
    bucket,
    starts: (value.series ?? []).map(({ start }: any) => Date.parse(start)),
  };
}

/** Without what only the service works out. */
const compared = ({ value }: any) => ({
  ...value,
  ...(value.drivers && {
    drivers: value.drivers.map(({ ci95, significant, ...row }: any) => {
      expect(ci95[0]).toBeLessThanOrEqual(row.lift_pp / 100 + 1e-4);
      expect(ci95[1]).toBeGreaterThanOrEqual(row.lift_pp / 100 - 1e-4);
      expect(significant).toBe(ci95[0] > 0 || ci95[1] < 0);
      return row;
    }),
  }),
});

// The clocks of the first go forward on 8 March and back on 1 November, of the second on 29 March and
// 25 October, of the third by half an hour in April and October.
const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'];
const periods = [
  'P30D',
  '2026',
  '2026-03',
  '2026-03-07/2026-03-09',
  '2026-10-24T12:00/PT40H',
  '2026-10-30/2026-11-03',
  '2026-W14',
  '2026-04-01/2026-10-10',
];

const periodsByBucket = { hour: 'PT30H', day: 'P30D', week: 'P300D', month: 'P24M' };

describe.each(names)('%s', (name) => {
  test('equals a plain computation over all rows, in every time zone and across every clock change', async () => {
    for (const timezone of zones) {
      for (const period of periods) {
        const answer = await ask(`${path}/${name}`, { period, timezone });
        const wanted = judges[name]?.(rows, windowOf(answer));
        if (period === '2026') expect(JSON.stringify(wanted)).toMatch(/":[1-9]/);
        expect({ timezone, period, value: compared(answer) }).toEqual({
          ...{ timezone, period },
          value: wanted,
        });
      }
    }
  });

  test('of a cohort equals the same insight in a team without other contacts', async () => {
    const [cohort] = rows.cohorts;
    const members = new Set(rows.cohort_members.map(({ contact_id: id }) => id));
    const own = (of: readonly any[]) => of.filter(({ contact_id: id }) => members.has(id));
    const query = { period: '2026', 'filter[cohort_id]': cohort.id };
    const reply = await team.get(`${path}/${name}?${new URLSearchParams(query).toString()}`);
    if (reply.status === 400) {
      expect(reply.body.errors[0].code).toBe('invalid_query_parameter');
      return;
    }
    const wanted = judges[name]?.(
      {
        ...rows,
        contacts: rows.contacts.filter(({ id }) => members.has(id)),
        ...{ accounts: own(rows.accounts), journeys: own(rows.journeys) },
        message_deliveries: own(rows.message_deliveries),
        objective_completions: own(rows.objective_completions),
        engagement_events: own(rows.engagement_events),
      },
      windowOf(reply.body),
    );
    expect(compared(reply.body)).toEqual(wanted);
  });
});

test('figures that several insights share agree, and sums match', async () => {
  const period = '2026-05-01/2026-09-01';
  const of = async (name: string) => (await ask(`${path}/${name}`, { period })).value;
  const value = await of('objective-total-value');
  const byTime = await of('added-value-by-time');
  expect(byTime.total_value_cents).toBe(value.attributed_value_cents);
  const products = await of('value-of-opened-products');
  const total = await of('total-value-of-opened-products');
  expect(products.totals.balance_cents).toBe(total.total_balance_cents);
  expect(products.totals.accounts_opened).toBe(total.accounts_opened);
  const counts = await ask('/v2/partner/objectives/completions/counts', { period });
  expect(counts.total_completions).toBe(value.total_completions);
  expect(counts.total_value_cents).toBe(value.total_value_cents);
  const campaigns = await of('overall-number-of-campaigns');
  const statuses: number[] = Object.values(campaigns.by_status);
  expect(statuses.reduce((sum, count) => sum + count, 0)).toBe(campaigns.total);
  const performance = await of('performance');
  expect(performance.current.value_cents).toBe(value.total_value_cents);
  expect(performance.current.enrolled).toBe((await of('campaign-enrollment')).total_enrolled);
  const sent = await of('messages');
  const delivered: number[] = sent.channels.map((row: any) => row.delivered);
  expect(delivered.reduce((sum, count) => sum + count, 0)).toBe(sent.totals.delivered);
});

test('a team without anything gets zeros, and null for every rate', async () => {
  const nobody = await api.newTeam();
  for (const name of names) {
    const { status, body } = await nobody.get(`${path}/${name}`);
    expect(status).toBe(200);
    const text = JSON.stringify(body.value);
    expect(text).not.toMatch(/"[a-z_]*_rate":(?!null)/);
    expect(body.source).toMatchObject({ kind: 'live', sampled: false });
    expect(body.source.query).toMatch(new RegExp(`^${name}@\\d$`));
  }
});

test('benchmarks show no figures below five teams, and never name a team', async () => {
  const at = `${path}/objective-completion-benchmarks`;
  const write = async (count: number) => {
    for (let made = 0; made < count; made += 1) {
      const { id } = await api.newTeam();
      await api.db.look(
        (sql) => sql`
          insert into objective_rates (team_id, key, eligible, completed)
          values (${id}, 'direct-deposit', 200, ${(made + 1) * 20})`,
      );
    }
  };
  const entry = async () =>
    (await ask(at, {})).value.objectives.find(({ key }: any) => key === 'direct-deposit');
  await write(4);
  expect(await entry()).toMatchObject({ peer_p50: null, sample_teams: null, percentile: null });
  await write(1);
  for (const [bucket, period] of Object.entries(periodsByBucket)) {
    expect((await ask(at, { period })).source).toMatchObject({ bucket, kind: 'live' });
  }
  const known = await entry();
  expect(known).toMatchObject({ sample_teams: 5 });
  expect(known.peer_p50).toBeGreaterThan(0);
  expect(Object.keys(known)).toEqual([
    ...['key', 'name', 'team_rate', 'peer_p25', 'peer_p50', 'peer_p75', 'percentile'],
    'sample_teams',
  ]);
});

test('insights of a template hold its rows only, and another team’s template is not found', async () => {
  const [template] = rows.templates;
  const own = (of: readonly any[]) => of.filter((row) => row.template_id === template.id);
  const only = { ...rows, engagement_events: own(rows.engagement_events) };
  const at = `/v2/partner/templates/${String(template.id)}/insights`;
  for (const [bucket, period] of Object.entries(periodsByBucket)) {
    const answer = await ask(`${at}/opt-in-widget`, { period });
    const { template_id: id, ...value } = answer.value;
    expect([id, value.bucket, answer.source.bucket]).toEqual([template.id, bucket, bucket]);
    expect(value).toEqual(judges['opt-in-widget']?.(only, windowOf(answer)));
    const { value: shown, source } = await ask(`${at}/secure-personalization`, { period });
    expect([shown.bucket, source.bucket]).toEqual([bucket, bucket]);
  }
  const security = await ask(`${at}/secure-personalization`, { period: '2026' });
  const of = (kind: string) =>
    only.engagement_events.filter(
      (e) => e.kind === `identity.challenge_${kind}` && !e.is_machine && e.occurred_at < Date.now(),
    );
  expect(security.value).toMatchObject({
    challenges_presented: of('presented').length,
    passed: of('passed').length,
    failed: of('failed').length,
    locked: of('locked').length,
  });
  const stranger = await api.newTeam();
  expect((await stranger.get(`${at}/opt-in-widget`)).status).toBe(404);
});

test.each([
  ['period=soon', 'invalid_period'],
  ['timezone=Mars/Olympus', 'invalid_timezone'],
  ['filter[cohort_id]=nobody', 'invalid_filter_value'],
  ['filter[template_id][in]=a,b', 'invalid_filter_value'],
  ['filter[channel]=email', 'invalid_query_parameter'],
  ['bucket=day', 'invalid_query_parameter'],
])('a question with %s is refused with %s', async (query, code) => {
  const { status, body } = await team.get(`${path}/campaign-enrollment?${query}`);
  expect([status, body.errors[0].code]).toEqual([400, code]);
});

test('a query that exceeds the statement timeout is refused as invalid_period, not as a fault', async () => {
  const { compute } = addedValueByTime;
  addedValueByTime.compute = async ({ sql }) => {
    await limitStatements(sql, 1);
    await sql`select pg_sleep(60)`;
    throw new Error('it was not ended');
  };
  try {
    const { status, body } = await team.get(`${path}/added-value-by-time?period=P365D`);
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_period']);
  } finally {
    addedValueByTime.compute = compute;
  }
  // The limit ended with its transaction; from then on the worker computes that question.
  expect(await ask(`${path}/added-value-by-time`, { period: 'P364D' })).toBeDefined();
});

test('the catalog lists all twenty-two insights with their definitions', async () => {
  const { body } = await team.get('/v2/partner/insights');
  expect(body.data).toHaveLength(22);
  for (const { path: at, definition, value_schema } of body.data) {
    expect(definition.length).toBeGreaterThan(40);
    expect(value_schema.type).toBe('object');
    expect(at).toMatch(/\/insights\//);
  }
});
