import { expect, test } from '@jest/globals';
import { Compile } from 'typebox/compile';
import { eventTypes } from '../../src/app/event-catalog.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

test('a test event of every type can be sent, matches its schema and belongs to the team', async () => {
  const team = await api.newTeam();
  const path = '/v2/partner/webhook-subscriptions';
  const body = { target_url: 'https://hooks.example.com/', event_types: ['*'] };
  const { id } = (await team.post(path, body)).body;
  for (const [event_type, { schema }] of Object.entries(eventTypes)) {
    const reply = await team.post(`${path}/${String(id)}/test`, { event_type });
    expect([event_type, reply.status]).toEqual([event_type, 202]);
    const [event] = await api.db.look<{ body: string }>(
      (sql) => sql`
        select body from webhook_events where id = ${String(reply.body.event_id)}`,
    );
    const sent = JSON.parse(event?.body ?? '{}');
    expect(sent).toMatchObject({ type: event_type, team_id: team.id });
    expect([undefined, team.id]).toContain(sent.data.team_id);
    expect([event_type, ...Compile(schema).Errors(sent)]).toEqual([event_type]);
  }
});
