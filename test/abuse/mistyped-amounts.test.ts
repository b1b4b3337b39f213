import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { maxCents } from '../../src/platform/schema/fields.ts';
import { anObjective } from '../campaigns/a-template.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

// One mistyped import must not take the figures of a team away.

const api = useTestApi();
const max = Number.MAX_SAFE_INTEGER;
let objective: string;

async function newContact(team: TestTeam): Promise<string> {
  const { body } = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  return String(body.id);
}

/** Amounts from before they were bounded: more than a bigint can hold together. */
async function fill(team: TestTeam, sign: 1 | -1): Promise<void> {
  const contact = await newContact(team);
  const amount = String(sign * max);
  objective = await anObjective(team);
  await team.db.look(
    (sql) => sql`
      insert into objective_completions (team_id, objective_id, contact_id, completed_at,
        value_cents, source, attribution, repeat_key)
      select ${team.id}, ${objective}, ${contact}, now() - interval '1 hour', ${amount}::bigint,
        'api', case when n % 2 = 0 then 'journey' else 'none' end, n::text
      from generate_series(1, 3000) n returning id`,
  );
  await team.db.look(
    (sql) => sql`
      insert into accounts (team_id, contact_id, unique_id, kind, opened_at, balance_cents, currency)
      select ${team.id}, ${contact}, 'a' || n, case when n % 2 = 0 then 'deposit' else 'loan' end,
        now() - interval '1 hour', ${amount}::bigint, 'USD'
      from generate_series(1, 3000) n returning id`,
  );
}

const insights = endpoints
  .filter(({ path }) => path.startsWith('/v2/partner/insights/advanced/'))
  .map(({ path }) => path);

describe.each([
  ['largest', 1],
  ['smallest', -1],
] as const)('a team whose amounts are the %s', (_, sign) => {
  let team: TestTeam;
  beforeAll(async () => {
    team = await api.newTeam();
    await fill(team, sign);
  });
  const valueOf = async (name: string) =>
    (await team.get(`/v2/partner/insights/advanced/${name}?period=P1D`)).body.value;

  test('gets all of its insights', async () => {
    const statuses = [];
    for (const path of insights) {
      for (const period of ['P1D', 'all_time']) {
        statuses.push([path, (await team.get(`${path}?period=${period}`)).status]);
      }
    }
    expect(statuses).toEqual(
      insights.flatMap((path) => [
        [path, 200],
        [path, 200],
      ]),
    );
  });

  test('gets sums that are shown as the limit', async () => {
    const counts = await team.get('/v2/partner/objectives/completions/counts');
    expect(counts.status).toBe(200);
    expect(counts.body.total_value_cents).toBe(sign * max);
    const ofObjective = counts.body.by_objective.find((row: any) => row.objective_id === objective);
    expect(ofObjective).toMatchObject({
      ...{ completions: 3_000, value_cents: sign * max, attributed_value_cents: sign * max },
    });
    expect(await valueOf('objective-total-value')).toMatchObject({
      ...{ total_value_cents: sign * max, attributed_value_cents: sign * max },
    });
    expect(await valueOf('added-value-by-time')).toMatchObject({ total_value_cents: sign * max });
    expect(await valueOf('value-of-opened-products')).toMatchObject({
      totals: { accounts_opened: 3_000, balance_cents: sign * max },
    });
    expect(await valueOf('total-value-of-opened-products')).toMatchObject({
      total_balance_cents: sign * max,
    });
    expect(await valueOf('performance')).toMatchObject({
      current: { value_cents: sign * max, opened_balance_cents: sign * max },
    });
  });
});

test('an amount is within ±10^13 cents, wherever it is sent', async () => {
  const team = await api.newTeam();
  const contact_id = await newContact(team);
  const id = await anObjective(team);
  const accounts = `/v2/partner/contacts/${contact_id}/accounts`;
  const completions = `/v2/partner/objectives/${id}/completions`;
  const event = () => ({ kind: 'custom', unique_id: randomUUID(), contact_id });
  const sends = (amount: number) => [
    () => team.post(accounts, { kind: 'deposit', balance_cents: amount }),
    () => team.post(completions, { contact_id, value_cents: amount }),
    () =>
      team.post('/v2/partner/objectives', { name: 'Big', key: randomUUID(), value_cents: amount }),
    () => team.patch(`/v2/partner/objectives/${id}`, { value_cents: amount }),
    () =>
      team.post('/v2/partner/engagement-events', {
        events: [{ ...event(), value_cents: amount }],
      }),
  ];
  const statuses = [];
  for (const send of [...sends(maxCents), ...sends(maxCents + 1)])
    statuses.push((await send()).status);
  expect(statuses).toEqual([201, 201, 201, 200, 201, 422, 422, 422, 422, 422]);
  const counts = await team.get('/v2/partner/objectives/completions/counts');
  expect(counts.body.total_value_cents).toBe(maxCents);
  for (const path of ['accounts', 'objectives/completions', 'objectives', 'engagement-events']) {
    expect([path, (await team.get(`/v2/partner/${path}`)).status]).toEqual([path, 200]);
  }
});
