import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const path = '/v2/partner/webhook-subscriptions';
const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const good = { target_url: 'http://127.0.0.1:8080/hook', event_types: ['contact.*'] };
const problemsOf = ({ body }: Reply) =>
  body.errors.map(({ code, meta }: any) => `${String(code)} ${String(meta.pointer)}`);

test('a subscription with unknown event types and a forbidden address is refused with an error for each', async () => {
  const event_types = ['contact.created', 'contact.sneezed', 'nothing.*', '*'];
  const target_url = 'http://user:secret@127.0.0.1:8080/hook';
  const reply = await team.post(path, { target_url, event_types });
  expect(reply.status).toBe(422);
  expect(problemsOf(reply)).toEqual([
    'invalid_event_type /event_types/1',
    'invalid_event_type /event_types/2',
    'target_not_allowed /target_url',
  ]);
  expect(reply.body.errors[0].meta.allowed_prefixes).toContain('contact.*');
  expect(JSON.stringify(reply.body)).not.toContain('secret@');
  expect((await team.get(path)).body.data).toEqual([]);
});

test('a change is validated equally, and a refused change leaves the subscription as it was', async () => {
  const made = await team.post(path, good);
  expect(made.status).toBe(201);
  const at = `${path}/${String(made.body.id)}`;
  const types = await team.patch(at, { event_types: ['contact.sneezed'] });
  expect([types.status, problemsOf(types)]).toEqual([422, ['invalid_event_type /event_types/0']]);
  const target = await team.patch(at, { target_url: 'http://169.254.169.254/latest' });
  expect([target.status, problemsOf(target)]).toEqual([422, ['target_not_allowed /target_url']]);
  expect((await team.get(at)).body).toMatchObject(good);
});

test('a full body with an unchanged address is not checked again, even where it is forbidden by now', async () => {
  const own = await api.newTeam();
  const made = await own.post(path, good);
  const id = String(made.body.id);
  const target_url = 'http://169.254.169.254/hook';
  // As after a change of the settings that allowed it.
  await api.db.look(
    (sql) => sql`
      update webhook_subscriptions set target_url = ${target_url}
      where team_id = ${own.id} and id = ${id} returning id`,
  );
  const { body } = await own.get(`${path}/${id}`);
  const renamed = await own.patch(`${path}/${id}`, { ...body, name: 'Renamed' });
  expect([renamed.status, renamed.body.target_url, renamed.body.name]).toEqual([
    200,
    target_url,
    'Renamed',
  ]);
  const other = await own.patch(`${path}/${id}`, { ...body, target_url: `${target_url}/2` });
  expect([other.status, problemsOf(other)]).toEqual([422, ['target_not_allowed /target_url']]);
});
