import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { maintain } from '../support/maintenance.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();
const path = '/v2/partner/team';
const retain = (team: TestTeam, retention: object | null) => team.patch(path, { retention });

test('a team replaces its terms within the bounds, and null ends them', async () => {
  const team = await api.newTeam();
  expect((await team.get(path)).body.retention).toBeUndefined();
  const requested = { inbound_deliveries_days: 30, archived_messages_days: 3_650 };
  expect((await retain(team, requested)).body.retention).toEqual(requested);
  expect((await retain(team, { operation_results_days: 1 })).body.retention).toEqual({
    operation_results_days: 1,
  });
  expect((await retain(team, null)).body.retention).toBeUndefined();
});

test.each([
  [{ archived_messages_days: 3_651 }],
  [{ archived_messages_days: 0 }],
  [{ contact_reads_days: 0 }],
  [{ contact_reads_days: 3_651 }],
  [{ inbound_deliveries_days: 7 }],
  [{ inbound_deliveries_days: 91 }],
  [{ webhook_events_days: 7 }],
  [{ webhook_events_days: 91 }],
  [{ engagement_days: 89 }],
  [{ engagement_days: 761 }],
  [{ operation_results_days: 8 }],
  [{ operation_results_days: 0 }],
  [{ request_log_days: 1 }],
])('the term %j is refused', async (retention) => {
  const { status, body } = await retain(await api.newTeam(), retention);
  const [field] = Object.keys(retention);
  expect([status, body.errors[0].meta.pointer]).toEqual([422, `/retention/${String(field)}`]);
});

test('callbacks of a team with a shorter term go, and those of others stay', async () => {
  const [short, other] = [await api.newTeam(), await api.newTeam()];
  await retain(short, { inbound_deliveries_days: 8 });
  for (const team of [short, other]) {
    const receiver = await team.post('/v2/partner/incoming-webhook-receivers', {
      receiver_kind: 'generic_hmac',
    });
    for (const days of [1, 7, 9, 30]) await insertOld(team, String(receiver.body.id), days);
  }
  await maintain(api.db.database, 'inbound-deliveries');
  const left = await api.db.look(
    (sql) => sql<{ team_id: string; count: number }[]>`
      select team_id, count(*)::int as count from inbound_deliveries group by team_id`,
  );
  const counts = Object.fromEntries(left.map(({ team_id, count }) => [team_id, count]));
  expect([counts[short.id], counts[other.id]]).toEqual([3, 5]);
});

/** A callback of some days ago, and from 30 days one that waits too. */
async function insertOld({ id: teamId }: TestTeam, receiverId: string, days: number) {
  const at = new Date(Date.now() - days * 86_400_000).toISOString();
  for (const next of days === 30 ? [null, at] : [null]) {
    await api.db.look(
      (sql) => sql`
        insert into inbound_deliveries (day, id, team_id, receiver_id, receiver_kind, status,
          signature_status, http_status, size_bytes, received_at, next_attempt_at)
        values (${at.slice(0, 10)}, ${randomUUID()}, ${teamId}, ${receiverId}, 'generic_hmac',
          'processed', 'verified', 200, 2, ${at}, ${next})`,
    );
  }
}

/** Number of rows of a table of each team, in their order. */
async function countsOf(table: string, teams: readonly TestTeam[]): Promise<number[]> {
  const rows = await api.db.look(
    (sql) => sql<{ team_id: string; count: number }[]>`
      select team_id, count(*)::int as count from ${sql(table)} group by team_id`,
  );
  return teams.map(({ id }) => rows.find((row) => row.team_id === id)?.count ?? 0);
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** An event of some days ago with a delivery to each subscription, and an attempt of each. */
async function insertOldEvent(
  { id: teamId }: TestTeam,
  deliveries: readonly { subscription: string; status: string }[],
  days: number,
) {
  const [at, event] = [daysAgo(days), randomUUID()];
  const day = at.slice(0, 10);
  await api.db.look(
    (sql) => sql`
      insert into webhook_events (day, id, team_id, type, resource_id, sequence, body, inserted_at)
      values (${day}, ${event}, ${teamId}, 'contact.created', ${randomUUID()}, 1, '{}', ${at})`,
  );
  for (const { subscription, status } of deliveries) {
    const id = randomUUID();
    await api.db.look(
      (sql) => sql`
        insert into webhook_deliveries (day, id, team_id, subscription_id, event_id, event_type,
          shard, status, renewed_at, inserted_at, updated_at)
        values (${day}, ${id}, ${teamId}, ${subscription}, ${event}, 'contact.created', 0, ${status},
          ${at}, ${at}, ${at})`,
    );
    await api.db.look(
      (sql) => sql`
        insert into webhook_attempts (day, delivery_id, number, team_id, subscription_id, trigger,
          url, requested_at, duration_ms)
        values (${day}, ${id}, 1, ${teamId}, ${subscription}, 'event', 'https://a.example', ${at}, 1)`,
    );
  }
}

test('events of a team with a shorter term go with their deliveries, unless one still waits', async () => {
  const teams = [await api.newTeam(), await api.newTeam()] as const;
  await retain(teams[0], { webhook_events_days: 8 });
  for (const team of teams) {
    const subscriptions: string[] = [];
    for (const path of ['a', 'b']) {
      const { body } = await team.post('/v2/partner/webhook-subscriptions', {
        target_url: `https://hooks.example.com/${path}`,
        event_types: ['contact.deleted'],
      });
      subscriptions.push(String(body.id));
    }
    const to = (...statuses: string[]) =>
      statuses.map((status, at) => ({ status, subscription: subscriptions[at] ?? '' }));
    await insertOldEvent(team, to('succeeded', 'succeeded'), 7);
    await insertOldEvent(team, to('succeeded', 'failed'), 9);
    await insertOldEvent(team, to('succeeded', 'retrying'), 9);
  }
  await maintain(api.db.database, 'webhook-deliveries');
  expect(await countsOf('webhook_events', teams)).toEqual([2, 3]);
  expect(await countsOf('webhook_deliveries', teams)).toEqual([3, 6]);
  expect(await countsOf('webhook_attempts', teams)).toEqual([3, 6]);
});

test('engagement and deliveries of a team with a shorter term go, unless they still wait', async () => {
  const teams = [await api.newTeam(), await api.newTeam()] as const;
  await retain(teams[0], { engagement_days: 90 });
  for (const { id: teamId } of teams) {
    for (const days of [1, 89, 91, 200]) {
      const at = daysAgo(days);
      await api.db.look(
        (sql) => sql`
          insert into engagement_events (team_id, id, kind, occurred_at, source)
          values (${teamId}, ${randomUUID()}, 'page.viewed', ${at}, 'api')`,
      );
      for (const status of days === 200 ? ['sent', 'queued'] : ['sent']) {
        await api.db.look(
          (sql) => sql`
            insert into message_deliveries (team_id, id, message_id, template_id, contact_id,
              channel, status, inserted_at, updated_at)
            values (${teamId}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()},
              'email', ${status}, ${at}, ${at})`,
        );
      }
    }
  }
  await maintain(api.db.database, 'engagement-events');
  await maintain(api.db.database, 'message-deliveries');
  expect(await countsOf('engagement_events', teams)).toEqual([2, 4]);
  expect(await countsOf('message_deliveries', teams)).toEqual([3, 5]);
});

test('a term below the bounds, written past the API, deletes no evidence ahead of the shortest one', async () => {
  const team = await api.newTeam();
  const [{ body: made }, at] = [
    await team.post('/v2/partner/webhook-subscriptions', {
      target_url: 'https://hooks.example.com/a',
      event_types: ['contact.deleted'],
    }),
    daysAgo(7),
  ];
  await insertOldEvent(team, [{ subscription: String(made.id), status: 'succeeded' }], 7);
  await api.db.look(
    (sql) => sql`
      insert into engagement_events (team_id, id, kind, occurred_at, source)
      values (${team.id}, ${randomUUID()}, 'page.viewed', ${at}, 'api')`,
  );
  await api.db.database.transact(
    (sql) => sql`
      update teams set retention = '{"engagement_days": 0, "webhook_events_days": 0}'
      where id = ${team.id}`,
  );
  await maintain(api.db.database, 'webhook-deliveries');
  await maintain(api.db.database, 'engagement-events');
  expect(await countsOf('webhook_events', [team])).toEqual([1]);
  expect(await countsOf('engagement_events', [team])).toEqual([1]);
});

test('results of a run that ends expire by the term of the team', async () => {
  const team = await api.newTeam();
  await retain(team, { operation_results_days: 2 });
  const asked = await team.post(
    '/v2/batch/operations',
    { operation_kind: 'contacts.bulk_upsert', items: [{ unique_id: 'a' }] },
    { 'Idempotency-Key': randomUUID() },
  );
  const { body: run } = await team.post(`/v2/batch/operations/${String(asked.body.id)}/cancel`);
  expect(run.status).toBe('canceled');
  expect(Date.parse(run.expires_at) - Date.parse(run.completed_at)).toBe(2 * 86_400_000);
});
