import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();
const subscriptions = '/v2/partner/webhook-subscriptions';

test('a client that may not read an event does not read what its receiver answered', async () => {
  const team = await api.newTeam();
  const { body: made } = await team.post(subscriptions, {
    target_url: 'http://127.0.0.1:4000/hook',
    event_types: ['contact.created'],
  });
  await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  const path = `${subscriptions}/${String(made.id)}/deliveries`;
  const [delivery] = (await team.get(path)).body.data;
  const id = String(delivery.id);
  await api.db.look(
    (sql) => sql`
      insert into webhook_attempts
        (id, team_id, subscription_id, delivery_id, day, number, trigger, url, requested_at,
         duration_ms, response_headers, response_body, response_truncated)
      select ${randomUUID()}, team_id, subscription_id, id, day, 1, 'scheduled', 'http://x', now(),
        3, '{"x-customer":"Augusta"}', 'Augusta', false
      from webhook_deliveries where team_id = ${team.id} and id = ${id}`,
  );
  const views = [`${path}/${id}/attempts`, `${path}/${id}?include=attempts`];
  const reader = await team.withScopes('partner:webhooks:read');
  const entitled = await team.withScopes('partner:webhooks:read', 'partner:contacts:read');
  for (const view of views) {
    const hidden = await reader.get(view);
    expect([view, hidden.status]).toEqual([view, 200]);
    expect(JSON.stringify(hidden.body)).toContain('duration_ms');
    expect(JSON.stringify(hidden.body)).not.toContain('Augusta');
    expect(JSON.stringify((await entitled.get(view)).body)).toContain('"response_body":"Augusta"');
  }
});
