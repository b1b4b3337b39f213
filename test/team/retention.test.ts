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
  const wanted = { inbound_deliveries_days: 30, archived_messages_days: 3_650 };
  expect((await retain(team, wanted)).body.retention).toEqual(wanted);
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
