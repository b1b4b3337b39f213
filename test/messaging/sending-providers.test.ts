import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createLog } from '../../src/platform/observability/log.ts';
import { listTeamProviders, openSecrets } from '../../src/messaging/sending-providers/queries.ts';
import { claimTest } from '../../src/messaging/sending-providers/testing/queries.ts';
import { recordHalt, recordResumed } from '../../src/messaging/sending-providers/status.ts';
import { targetOf } from '../../src/messaging/sending-providers/check.ts';
import { developmentRules, productionRules } from '../platform/egress/rules.ts';
import { startTestApi } from '../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { maintain } from '../support/maintenance.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import {
  aServiceAccount,
  bodies,
  canary,
  newProvider,
  providersPath as path,
  startInterface,
  startLoginServer,
} from './a-sending-provider.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { sendingProviderTestJob } from '../../workflows/jobs.ts';

// With RECORD_HISTORIES=1 a run below is stored under test/histories.
const lines: string[] = [];
let api: TestApi;
let worker: TestWorker;
let connection: Connection;
let client: Client;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({
    ...{ SENDING_EXAMPLE_DOMAINS: 'false', SMS_FROM: '+14155550100', SMS_SENDERS: 'Bank, Union' },
  });
  const namespace = await newNamespace();
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace });
  const log = createLog('debug', 'worker', { write: (line) => lines.push(line) });
  worker = await startTestWorker(api, { namespace, log });
});
beforeEach(async () => {
  team = await aTeamWithDomain();
});
afterAll(async () => {
  await worker.close();
  await connection.close();
  await api.stop();
});

/** A team that has verified bank.example. */
async function aTeamWithDomain(): Promise<TestTeam> {
  const made = await api.newTeam();
  await api.db.look(
    (sql) => sql`
      insert into sending_domains
        (team_id, domain, status, challenge, dkim_selector, dkim_public_key, next_check_at)
      values (${made.id}, 'bank.example', 'verified', 'c', 's', 'k', now() + interval '1 day')`,
  );
  return made;
}

const problemsOf = ({ status, body }: Reply) => [
  status,
  ...body.errors.map(({ code, meta }: any) => [code, meta?.pointer, meta?.rule]),
];
const refusal = (pointer: string, rule: string) => [422, ['validation_failed', pointer, rule]];
const stored = async (of: TestTeam, id: string) => {
  const rows = await api.db.database.read((sql) => listTeamProviders(sql, [of.id]));
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error('The team has no such active provider.');
  return { row, secrets: openSecrets(api.keyring, row) };
};
const secretsOf = async (id: string) => (await stored(team, id)).secrets;

describe('a sending provider', () => {
  test.each(Object.keys(bodies) as (keyof typeof bodies)[])(
    'of the kind %s is stored with a sealed secret that no answer shows',
    async (kind) => {
      const body = bodies[kind]();
      const made = await team.post(path, body);
      expect(made.status).toBe(201);
      const one = `${path}/${String(made.body.id)}`;
      expect(made.headers.get('location')).toBe(one);
      expect(made.body).toMatchObject({ type: 'sending_provider', kind, priority: 1 });
      expect(await secretsOf(made.body.id)).toEqual({ current: body.secret, previous: undefined });
      const shown = await team.get(one);
      const { data } = (await team.get(`${path}?filter[kind]=${kind}`)).body;
      expect(data).toEqual([shown.body]);
      expect(JSON.stringify([made.body, shown.body])).not.toContain(canary);
      expect(shown.body).not.toHaveProperty('secret');
      expect(shown.body).not.toHaveProperty('test_status');
    },
  );

  test('has a canonical address, and nothing that its body does not name', async () => {
    const { body } = await team.post(path, bodies.smtp());
    expect(body).toMatchObject({ url: 'smtp://mail.example.com:587', is_active: true });
    const other = await team.post(path, bodies.sms_a());
    expect(other.body.url).toBe('https://sms-a.example.com/api');
    expect((await team.post(path, bodies.email_a())).body.url).toBe('https://mail-a.example.com');
  });

  test.each([
    ['a kind of another channel', { ...bodies.push_b(), channel: 'sms' }, '/kind', 'channel'],
    ['no login', { ...bodies.smtp(), account: null, secret: null }, '/account', 'required'],
    ['no secret', { ...bodies.smtp(), secret: null }, '/secret', 'required'],
    ['no account', { ...bodies.sms_a(), account: null }, '/account', 'required'],
    [
      'an account that it has not',
      { ...bodies.email_b(), account: 'a' },
      '/account',
      'unknown_field',
    ],
    ['a path in its account', { ...bodies.sms_a(), account: '../x' }, '/account', 'pattern'],
    ['a dot as its account', { ...bodies.email_c(), account: '..' }, '/account', 'pattern'],
    ['a family over HTTP', { ...bodies.email_a(), family: 'email_a' }, '/family', 'unknown_field'],
    ['no sender', { ...bodies.sms_a(), senders: [] }, '/senders', 'min_items'],
    ['a sender of push', { ...bodies.push_b(), senders: ['a'] }, '/senders', 'max_items'],
    ['a long name', { ...bodies.sms_a(), senders: ['Twelve chars'] }, '/senders/0', 'format'],
    ['a broken number', { ...bodies.sms_a(), senders: ['+0123'] }, '/senders/0', 'format'],
    ['a broken address', { ...bodies.smtp(), senders: ['a@b'] }, '/senders/0', 'format'],
    ['a line break in a key', { ...bodies.sms_a(), secret: 'a\r\nb: c' }, '/secret', 'pattern'],
    ['a control character', { ...bodies.smtp(), secret: 'a\u0007b' }, '/secret', 'pattern'],
    ['a very long key', { ...bodies.sms_a(), secret: 'a'.repeat(1_001) }, '/secret', 'max_length'],
    ['no service account', { ...bodies.push_a(), secret: '[]' }, '/secret', 'format'],
    [
      'a key that is none',
      { ...bodies.push_a(), secret: aServiceAccount({ private_key: 'a' }) },
      '/secret',
      'format',
    ],
  ])('with %s is refused', async (_, body, pointer, rule) => {
    const reply = await team.post(path, body);
    expect(problemsOf(reply)).toEqual(refusal(pointer, rule));
    expect(JSON.stringify(reply.body)).not.toContain(canary);
  });

  test('two senders of e-mail, a foreign domain and an inner token address are refused', async () => {
    const senders = ['a@bank.example', 'b@bank.example'];
    const two = await team.post(path, { ...bodies.smtp(), senders });
    expect(problemsOf(two)).toEqual(refusal('/senders', 'min_items'));
    const foreign = await team.post(path, { ...bodies.smtp(), senders: ['a@union.example'] });
    expect(problemsOf(foreign)).toEqual([422, ['sender_not_verified', '/senders/0', undefined]]);
    const inner = aServiceAccount({ token_uri: 'http://169.254.169.254/token' });
    const account = await team.post(path, { ...bodies.push_a(), secret: inner });
    expect(problemsOf(account)).toEqual([422, ['target_not_allowed', '/secret', undefined]]);
  });

  test.each([
    ['smtp', 'smtp://mail.example.com:25', 'smtp://mail.example.com:25'],
    ['smtp', 'SMTPS://Mail.Example.com:465', 'smtps://mail.example.com:465'],
    ['smtp', 'smtp://[2606:4700::1]:2525', 'smtp://[2606:4700::1]:2525'],
    ['smtp', 'smtp://mail.example.com', undefined],
    ['smtp', 'smtp://mail.example.com:22', undefined],
    ['smtp', 'smtp://mail.example.com:1025', undefined],
    ['smtp', 'smtp://user:secret@mail.example.com:587', undefined],
    ['smtp', 'smtp://mail.example.com:587/?pool=true', undefined],
    ['smtp', 'smtp://127.0.0.1:587', undefined],
    ['smtp', 'smtp://0x7f.1:587', undefined],
    ['smtp', 'smtp://10.0.0.1:587', undefined],
    ['smtp', 'smtp://[::1]:587', undefined],
    ['smtp', 'smtp://mail:587', undefined],
    ['smtp', 'https://mail.example.com', undefined],
    ['sms_a', 'https://api.example.com//', 'https://api.example.com'],
    ['sms_a', 'https://api.example.com/v1/', 'https://api.example.com/v1'],
    ['sms_a', 'http://api.example.com', undefined],
    ['sms_a', 'https://user@api.example.com', undefined],
    ['sms_a', 'https://api.example.com/?key=1', undefined],
    ['sms_a', 'https://api.example.com/#a', undefined],
    ['sms_a', 'https://169.254.169.254', undefined],
    ['sms_a', 'smtp://mail.example.com:587', undefined],
  ] as const)('of the kind %s at %s has the address %s', (kind, url, expected) => {
    const target = targetOf(kind, url, productionRules);
    expect(target.ok ? target.url : undefined).toBe(expected);
  });

  test('reaches this machine where the rules allow it, and only there without TLS', () => {
    const mail = targetOf('smtp', 'smtp://127.0.0.1:1025', developmentRules);
    expect(mail).toEqual({ ok: true, url: 'smtp://127.0.0.1:1025', isLocal: true });
    expect(targetOf('sms_a', 'http://localhost:9009', developmentRules)).toMatchObject({
      ok: true,
    });
    expect(targetOf('sms_a', 'http://example.com:9009', developmentRules).ok).toBe(false);
  });

  test('needs no login on this machine, and may have one again', async () => {
    const open = { ...bodies.smtp(), url: 'smtp://127.0.0.1:1025', account: null, secret: null };
    const { id, path: one } = await newProvider(team, open);
    expect(await secretsOf(id)).toEqual({ current: '', previous: undefined });
    const moved = await team.patch(one, { url: 'smtp://127.0.0.1:1026' });
    expect(moved.status).toBe(200);
    const secretOnly = await team.patch(one, { secret: 'a' });
    expect(problemsOf(secretOnly)).toEqual(refusal('/secret', 'unknown_field'));
    const userOnly = await team.patch(one, { account: 'a' });
    expect(problemsOf(userOnly)).toEqual(refusal('/secret', 'required'));
    await team.patch(one, { account: 'a', secret: 'b' });
    expect(await secretsOf(id)).toMatchObject({ current: 'b' });
    expect((await team.patch(one, { account: null })).status).toBe(200);
    expect(await secretsOf(id)).toMatchObject({ current: '' });
  });

  test('is one of ten of the team, and of five of its channel', async () => {
    for (let count = 0; count < 5; count += 1) await newProvider(team, bodies.smtp());
    const sixth = await team.post(path, bodies.email_b());
    expect(sixth.body.errors).toMatchObject([
      { code: 'quota_exceeded', meta: { quota: 'sending_providers_per_channel', limit: 5 } },
    ]);
    for (let count = 0; count < 5; count += 1) await newProvider(team, bodies.sms_b());
    const eleventh = await team.post(path, bodies.push_b());
    expect(eleventh.body.errors).toMatchObject([
      { code: 'quota_exceeded', meta: { quota: 'sending_providers', limit: 10 } },
    ]);
    expect((await (await aTeamWithDomain()).post(path, bodies.push_b())).status).toBe(201);
  });

  test('never sends its secret to another server', async () => {
    const { id, path: one } = await newProvider(team, bodies.smtp());
    await team.post(`${one}/rotate-secret`, { secret: 'second' });
    for (const url of ['smtp://evil.example.com:587', 'smtp://mail.example.com:25']) {
      expect(problemsOf(await team.patch(one, { url }))).toEqual(refusal('/secret', 'required'));
    }
    const url = 'smtp://other.example.com:587';
    const moved = await team.patch(one, { url, secret: 'third' });
    expect(moved.status).toBe(200);
    expect(moved.body).not.toHaveProperty('previous_secret_expires_at');
    expect(await secretsOf(id)).toEqual({ current: 'third', previous: undefined });
    const { id: otherId, path: other } = await newProvider(team, bodies.sms_a());
    expect((await team.patch(other, { url: 'https://sms-a.example.com/v2' })).status).toBe(200);
    const away = await team.patch(other, { url: 'https://sms-b.example.com/api' });
    expect(problemsOf(away)).toEqual(refusal('/secret', 'required'));
    expect(await secretsOf(otherId)).toMatchObject({ current: bodies.sms_a().secret });
  });

  test('stays unchanged by a change that changes nothing; its kind and channel are fixed', async () => {
    const { path: one } = await newProvider(team, bodies.sms_a());
    const before = await team.get(one);
    const same = await team.patch(one, { name: 'Texts A', secret: null, account: 'AC01' });
    expect(same.headers.get('etag')).toBe(before.headers.get('etag'));
    const stale = await team.patch(one, { name: 'New' }, { 'If-Match': '"999"' });
    expect(stale.status).toBe(412);
    for (const [field, value] of Object.entries({ kind: 'sms_b', channel: 'email' })) {
      const reply = await team.patch(one, { [field]: value });
      expect(problemsOf(reply)).toEqual([422, ['immutable_field', `/${field}`, undefined]]);
    }
    // The domain of a sender may be lost later: only another sender is checked again.
    const { path: mail } = await newProvider(team, bodies.email_b());
    await api.db.look(
      (sql) => sql`update sending_domains set status = 'failed' where team_id = ${team.id}`,
    );
    expect((await team.patch(mail, { priority: 2 })).body).toMatchObject({ priority: 2 });
    const other = await team.patch(mail, { senders: ['other@bank.example'] });
    expect(problemsOf(other)).toEqual([422, ['sender_not_verified', '/senders/0', undefined]]);
  });

  test('has two secrets until the overlap of a rotation ends', async () => {
    const { id, path: one } = await newProvider(team, bodies.sms_a());
    const rotate = `${one}/rotate-secret`;
    const first = await team.post(rotate, { secret: 'second' });
    expect(first.status).toBe(200);
    const { previous_secret_expires_at: until } = first.body;
    expect(Date.parse(until) - Date.parse(first.body.secret_changed_at)).toBe(86_400_000);
    expect(await secretsOf(id)).toEqual({ current: 'second', previous: bodies.sms_a().secret });

    const again = await team.post(rotate, { secret: 'third' });
    expect([again.status, again.body.errors[0]]).toMatchObject([
      ...[409, { code: 'rotation_in_progress', meta: { previous_expires_at: until } }],
    ]);
    await team.post(rotate, { secret: 'third', overlap_seconds: 60, force: true });
    expect(await secretsOf(id)).toEqual({ current: 'third', previous: 'second' });
    expect(await maintain(api.db.database, 'provider-secrets')).toBe(0);

    await api.db.look(
      (sql) => sql`
        update sending_providers set previous_secret_expires_at = now() - interval '1 second'
        where team_id = ${team.id} and id = ${id}`,
    );
    expect(await secretsOf(id)).toEqual({ current: 'third', previous: undefined });
    expect((await team.get(one)).body).not.toHaveProperty('previous_secret_expires_at');
    expect(await maintain(api.db.database, 'provider-secrets')).toBe(1);

    const at = await team.post(rotate, { secret: 'fourth', overlap_seconds: 0 });
    expect(at.body).not.toHaveProperty('previous_secret_expires_at');
    expect(await secretsOf(id)).toEqual({ current: 'fourth', previous: undefined });
    const week = await team.post(rotate, { secret: 'fifth', overlap_seconds: 604_801 });
    expect(week.status).toBe(422);
    expect(problemsOf(await team.post(rotate, { secret: 'a b' }))).toEqual(
      refusal('/secret', 'pattern'),
    );
  });

  test('loses its secrets when it is deleted', async () => {
    const { id, path: one } = await newProvider(team, bodies.sms_a());
    await team.post(`${one}/rotate-secret`, { secret: 'second' });
    expect((await team.delete(one)).status).toBe(204);
    expect((await team.get(one)).status).toBe(404);
    const rows = await api.db.look(
      (sql) => sql`
        select sealed_secret, sealed_previous_secret from sending_providers where id = ${id}`,
    );
    expect(rows).toEqual([{ sealed_secret: null, sealed_previous_secret: null }]);
    await expect(stored(team, id)).rejects.toThrow();
  });

  test('is used, seen and opened by its own team only, by priority', async () => {
    const other = await aTeamWithDomain();
    const second = await newProvider(team, { ...bodies.smtp(), priority: 2 });
    const first = await newProvider(team, bodies.email_b());
    const inactive = await newProvider(team, { ...bodies.email_c(), is_active: false });
    const theirs = await newProvider(other, bodies.email_b());
    const both = [team.id, other.id];
    const rows = await api.db.database.read((sql) => listTeamProviders(sql, both));
    const idsOf = (of: TestTeam) =>
      rows.filter(({ team_id }) => team_id === of.id).map(({ id }) => id);
    expect([idsOf(team), idsOf(other)]).toEqual([[first.id, second.id], [theirs.id]]);
    for (const provider of [first, inactive]) {
      const replies = await Promise.all([
        other.get(provider.path),
        other.patch(provider.path, { name: 'Mine' }),
        other.delete(provider.path),
        other.post(`${provider.path}/test`),
        other.post(`${provider.path}/rotate-secret`, { secret: 'a' }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(404));
    }
    const { row } = await stored(team, first.id);
    expect(() => openSecrets(api.keyring, { ...row, team_id: other.id })).toThrow();
    expect(() => openSecrets(api.keyring, { ...row, id: second.id })).toThrow();
  });
});

test('a halt and its end are recorded once each, and settings that change are probed', async () => {
  await subscribe(api, team);
  const { id, path: one } = await newProvider(team, bodies.sms_a());
  const key = { team_id: team.id, id };
  const { headers } = await team.get(one);
  const halt = (code: string) =>
    api.db.database.transact((sql) => recordHalt(sql, key, { code, probeAtMs: 4_102_444_800_000 }));
  const resume = () => api.db.database.transact((sql) => recordResumed(sql, key));
  await resume();
  await Promise.all([halt('http_500'), halt('http_500')]);
  await halt('http_503');
  const halted = await team.get(one);
  expect(halted.body).toMatchObject({
    ...{ halted_at: expect.any(String), halt_code: 'http_503' },
    next_probe_at: '2100-01-01T00:00:00.000Z',
  });
  expect(halted.headers.get('etag')).toBe(headers.get('etag'));
  const changed = await team.patch(one, { priority: 3 });
  expect(Date.parse(changed.body.next_probe_at)).toBeLessThanOrEqual(Date.now());
  await Promise.all([resume(), resume()]);
  expect((await team.get(one)).body).not.toHaveProperty('halted_at');
  const events = await eventsOf(api, team, id);
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['sending_provider.created', 1],
    ['sending_provider.halted', 2],
    ['sending_provider.updated', 3],
    ['sending_provider.resumed', 4],
  ]);
  expect(events[1]?.data).toMatchObject({ halt_code: 'http_500' });
  await team.delete(one);
  await halt('http_500');
  expect(await eventsOf(api, team, id)).toHaveLength(5);
});

describe('the sender of a text message', () => {
  const write = async (sender: string) => {
    const template = await team.post('/v2/partner/templates', { name: 'A template' });
    const message = { name: 'Text', channel: 'sms', body: 'Hello', sender };
    const messages = `/v2/partner/templates/${String(template.body.id)}/messages`;
    const reply = await team.post(messages, message);
    return reply.status === 201 ? reply.body.sender : reply.body.errors[0];
  };
  const refused = { code: 'sender_not_verified', meta: { pointer: '/sender' } };

  test('is one of the installation, unless the team has a provider of its own', async () => {
    expect(await write('+14155550100')).toBe('+14155550100');
    expect(await write('Union')).toBe('Union');
    expect(await write('The Bank')).toMatchObject(refused);
    const { path: one } = await newProvider(team, bodies.sms_a());
    expect(await write('The Bank')).toBe('The Bank');
    expect(await write('Union')).toMatchObject(refused);
    // That of another team.
    await newProvider(await aTeamWithDomain(), bodies.sms_b());
    expect(await write('+14155550124')).toMatchObject(refused);
    await team.patch(one, { is_active: false });
    expect(await write('The Bank')).toMatchObject(refused);
  });
});

describe('a test call', () => {
  const tested = async (one: string) => {
    expect((await team.post(`${one}/test`)).body).toMatchObject({ test_status: 'pending' });
    const { body } = await eventually(
      () => team.get(one),
      ({ body: now }) => now.test_status !== 'pending',
    );
    expect(body.tested_at).toEqual(expect.any(String));
    return [body.test_status, body.test_error_code];
  };

  test('logs in to a mail server, and says why it could not', async () => {
    const server = await startLoginServer('onward', `${canary} smtp`);
    const { id, path: one } = await newProvider(team, { ...bodies.smtp(), url: server.url });
    expect(await tested(one)).toEqual(['succeeded', undefined]);
    const handle = client.workflow.getHandle(jobId(sendingProviderTestJob, id));
    expect(await handle.result()).toEqual({ outcome: 'succeeded' });
    const history = JSON.stringify(await handle.fetchHistory());
    expect(history).not.toContain(canary);
    expect(history).not.toContain(Buffer.from(canary).toString('base64').slice(0, 10));

    const wrong = await team.patch(one, { secret: `${canary} wrong` });
    expect(wrong.body).not.toHaveProperty('test_status');
    const [status, code] = await tested(one);
    expect([status, code]).toEqual(['failed', 'smtp_535']);
    // The new one of the two secrets is tested.
    await team.patch(one, { secret: `${canary} smtp` });
    await team.post(`${one}/rotate-secret`, { secret: `${canary} new` });
    expect(await tested(one)).toEqual(['failed', 'smtp_535']);
    expect(server.logins).toEqual(['smtp', 'wrong', 'new'].map((word) => `${canary} ${word}`));
    await server.stop();
    expect((await tested(one))[0]).toBe('failed');
  });

  test('logs in to an HTTP interface; a result of settings that have changed is made again', async () => {
    let onCall: () => Promise<unknown> = () => Promise.resolve();
    const server = await startInterface(async ({ authorization }) => {
      await onCall();
      const [, login = ''] = authorization.split(' ');
      return Buffer.from(login, 'base64').toString().endsWith('right') ? 200 : 401;
    });
    const body = { ...bodies.sms_a(), url: server.url, secret: `${canary}-wrong` };
    const { path: one } = await newProvider(team, body);
    expect(await tested(one)).toEqual(['failed', 'http_401']);
    let calls = 0;
    onCall = async () => {
      calls += 1;
      if (calls === 1) await team.patch(one, { secret: `${canary}-right` });
    };
    expect(await tested(one)).toEqual(['succeeded', undefined]);
    server.stop();
  });

  test('is made of one provider of a team at a time, and waits for no other team', async () => {
    const other = await aTeamWithDomain();
    const [first, second, theirs] = await Promise.all(
      [team, team, other].map((of) => newProvider(of, bodies.sms_b())),
    );
    // Without an outbox entry, so that no worker has them.
    await api.db.look(
      (sql) => sql`
        update sending_providers set test_requested_at = now()
        where team_id in (${team.id}, ${other.id})`,
    );
    const claim = (of: TestTeam, provider = first, leaseSeconds = 30) =>
      api.db.database.read((sql) => claimTest(sql, of.id, provider?.id ?? '', leaseSeconds));
    expect(await claim(other)).toBeUndefined();
    expect(await claim(team)).toMatchObject({ id: first?.id });
    expect(await claim(team, second)).toBeUndefined();
    expect(await claim(other, theirs)).toMatchObject({ id: theirs?.id });
    // The lease is over.
    expect(await claim(team, second, 0)).toMatchObject({ id: second?.id });
  });

  test('that nobody requests any more ends', async () => {
    const { id, path: one } = await newProvider(team, bodies.sms_b());
    await api.db.look(
      (sql) => sql`
        insert into workflow_outbox (workflow, key, team_id)
        values ('sending_provider_test', ${id}, ${team.id})`,
    );
    await team.delete(one);
    const outcome = await eventually(
      () =>
        client.workflow
          .getHandle(jobId(sendingProviderTestJob, id))
          .result()
          .catch(() => undefined),
      Boolean,
    );
    expect(outcome).toEqual({ outcome: 'ended' });
  });
});

test('no log, audit event or stored answer contains a secret', async () => {
  const { path: one } = await newProvider(team, bodies.sms_a());
  const headers = { 'Idempotency-Key': 'rotation' };
  await team.post(`${one}/rotate-secret`, { secret: `${canary}-2` }, headers);
  await team.post(path, { ...bodies.smtp(), secret: `${canary}\n` });
  const rows = await api.db.look(async (sql) => [
    ...(await sql`select * from audit_events where team_id = ${team.id}`),
    ...(await sql`select * from idempotency_keys where team_id = ${team.id}`),
    ...(await sql`select * from workflow_outbox where team_id = ${team.id}`),
    ...(await sql`select * from sending_providers where team_id = ${team.id}`),
  ]);
  expect(rows.length).toBeGreaterThan(3);
  expect(JSON.stringify(rows)).not.toContain(canary);
  expect(lines.join('')).not.toContain(canary);
});
