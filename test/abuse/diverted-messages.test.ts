import { beforeEach, expect, test } from '@jest/globals';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { listTeamProviders } from '../../src/messaging/sending-providers/queries.ts';
import { bodies, providersPath } from '../messaging/a-sending-provider.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// A client adds a provider of its own, to receive the messages and codes of customers.

const api = useTestApi();
const write = 'partner:sending_providers:write';
const reads = ['partner:messages:read', 'partner:contacts:read'];
let team: TestTeam;
let entitled: TestTeam;

beforeEach(async () => {
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  team = await api.newTeam();
  entitled = await team.withScopes(
    ...[write, 'partner:sending_providers:read', 'partner:sending_providers:delete', ...reads],
  );
});

async function admin(...args: string[]) {
  const lines: string[] = [];
  await createAdmin((line) => lines.push(line)).parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}

const usable = async () =>
  (await api.db.database.read((sql) => listTeamProviders(sql, [team.id]))).map(({ id }) => id);
const require = () => team.patch('/v2/partner/team', { requires_provider_release: true });

test('a client that may not read messages and contacts receives none of them', async () => {
  const { body: made } = await team.post(providersPath, bodies.sms_b());
  for (const scopes of [[], reads.slice(0, 1), reads.slice(1)]) {
    const weak = await team.withScopes(write, ...scopes);
    for (const reply of [
      await weak.post(providersPath, bodies.sms_b()),
      await weak.patch(`${providersPath}/${String(made.id)}`, { name: 'Mine' }),
    ]) {
      expect([scopes, reply.status, reply.body.errors[0].code]).toEqual([
        ...[scopes, 401, 'scope_missing'],
      ]);
    }
  }
  expect((await entitled.post(providersPath, bodies.sms_b())).status).toBe(201);
});

test('a change of where messages leave to is announced', async () => {
  await subscribe(api, team);
  const { body: made } = await entitled.post(providersPath, bodies.sms_b());
  const path = `${providersPath}/${String(made.id)}`;
  await entitled.patch(path, { name: 'Other' });
  await entitled.post(`${path}/rotate-secret`, { secret: 'another' });
  await entitled.call('DELETE', path);
  const events = await eventsOf(api, team, String(made.id));
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['sending_provider.created', 1],
    ['sending_provider.updated', 2],
    ['sending_provider.updated', 3],
    ['sending_provider.deleted', 4],
  ]);
  expect(JSON.stringify(events)).not.toContain('another');
});

test('nothing leaves through a new or changed provider before a second client releases it', async () => {
  const { body: before } = await entitled.post(providersPath, bodies.sms_a());
  expect((await require()).status).toBe(200);
  const { body: made } = await entitled.post(providersPath, bodies.sms_b());
  expect(await usable()).toEqual([before.id]);
  const path = `${providersPath}/${String(made.id)}`;
  const own = await entitled.post(`${path}/release`);
  expect([own.status, own.body.errors[0].code]).toEqual([409, 'invalid_state_transition']);
  expect(await usable()).toEqual([before.id]);
  const second = await team.post(`${path}/release`);
  expect([second.status, typeof second.body.released_at]).toEqual([200, 'string']);
  expect((await usable()).sort()).toEqual([before.id, made.id].sort());

  const change = { url: 'https://sms-evil.example.com', secret: 'mine' };
  expect((await entitled.patch(path, change)).status).toBe(200);
  expect(await usable()).toEqual([before.id]);
  await team.post(`${path}/release`);
  await entitled.post(`${path}/rotate-secret`, { secret: 'of-another-account' });
  expect(await usable()).toEqual([before.id]);
});

test('an operator releases a provider, and alone ends that releases are required', async () => {
  await require();
  const ended = await team.patch('/v2/partner/team', { requires_provider_release: false });
  expect([ended.status, ended.body.errors[0].meta.pointer]).toEqual([
    ...[422, '/requires_provider_release'],
  ]);
  const { body: made } = await entitled.post(providersPath, bodies.sms_b());
  expect(await usable()).toEqual([]);
  const other = await api.newTeam();
  const { body: theirs } = await other.post(providersPath, bodies.sms_b());
  const isRequired = async () =>
    (await other.get('/v2/partner/team')).body.requires_provider_release;
  expect(await isRequired()).toBe(false);
  await admin('teams', 'set-provider-release', team.id, 'on');
  expect(await isRequired()).toBe(false);
  expect(await usable()).toEqual([]);
  await admin('providers', 'release', team.id, String(made.id));
  expect(await usable()).toEqual([made.id]);
  expect(await admin('providers', 'list', team.id)).toMatchObject([{ id: made.id }]);
  expect(await admin('providers', 'list', other.id)).toMatchObject([{ id: theirs.id }]);
  const trail: any[] = await admin('audit', 'list', '--team', team.id);
  expect(trail.map(({ action }) => action)).toContain('sending_provider.released');
  await admin('teams', 'set-provider-release', team.id, 'off');
  await entitled.post(`${providersPath}/${String(made.id)}/rotate-secret`, { secret: 'x' });
  expect(await usable()).toEqual([made.id]);
});
