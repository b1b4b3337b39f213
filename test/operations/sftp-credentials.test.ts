import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import ssh2 from 'ssh2';
import { startTestApi } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { sshKeyPair } from '../support/ssh-keys.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';

const path = '/v2/partner/sftp-credentials';

const api = useTestApi({ SFTP_PUBLIC_HOST: 'sftp.example.com', SFTP_PUBLIC_PORT: '2222' });
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const aKey = () => sshKeyPair().public;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const codeOf = (reply: Reply) => [reply.status, reply.body?.errors?.[0].code];
const problemOf = (reply: Reply) => {
  const [{ code, meta }] = reply.body.errors;
  return [reply.status, code, meta.pointer, meta.rule];
};

async function made(fields: object = {}, of = team): Promise<Record<string, any>> {
  const reply = await of.post(path, { name: 'nightly', public_key: aKey(), ...fields });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** As if the time given to the credentials were over. */
const expire = (id: string) =>
  api.db.look(
    (sql) => sql`
    update sftp_credentials set expires_at = now() - interval '1 second'
    where id = ${id}`,
  );

/** The OpenSSH line of an RSA key. */
function rsaLine(bits: number): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const parsed = ssh2.utils.parseKey(
    privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  );
  if (parsed instanceof Error) throw parsed;
  return `ssh-rsa ${parsed.getPublicSSH().toString('base64')}`;
}

describe('making credentials', () => {
  test('for a public key returns the address, the host keys of the server, and the fingerprint', async () => {
    const line = aKey();
    const [type = '', base64 = ''] = line.split(' ');
    const reply = await team.post(path, {
      name: 'nightly',
      public_key: `${line} ada@laptop`,
      purpose: 'contacts',
      allowed_cidrs: ['192.0.2.0/24', '2001:db8::/32'],
      expires_at: tomorrow(),
    });
    expect(reply.status).toBe(201);
    const { username } = reply.body;
    const digest = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64');
    expect(reply.body).toEqual({
      id: expect.any(String),
      type: 'sftp_credential',
      team_id: team.id,
      name: 'nightly',
      username: expect.stringMatching(/^do-[a-z0-9]{8}$/),
      host: 'sftp.example.com',
      port: 2222,
      home_directory: `/${team.id}/${String(username)}`,
      public_key: `${type} ${base64}`,
      key_type: 'ssh-ed25519',
      fingerprint_sha256: `SHA256:${digest.replace(/=$/, '')}`,
      host_key_fingerprints: [expect.stringMatching(/^SHA256:[\w+/]{43}$/)],
      purpose: 'contacts',
      allowed_cidrs: ['192.0.2.0/24', '2001:db8::/32'],
      is_active: true,
      status: 'active',
      expires_at: expect.any(String),
      upload_count: 0,
      inserted_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const its = `${path}/${String(reply.body.id)}`;
    expect(reply.headers.get('location')).toBe(its);
    expect((await team.get(its)).body).toEqual(reply.body);
    expect(await eventsOf(api, team, reply.body.id)).toMatchObject([
      { type: 'sftp_credentials.created', data: reply.body },
    ]);
  });

  test('with a new pair shows the private key once, and does not store it', async () => {
    const request = { name: 'generated', generate_key_pair: true };
    const key = { 'Idempotency-Key': randomUUID() };
    const reply = await team.post(path, request, key);
    expect(reply.status).toBe(201);
    const { private_key, ...shown } = reply.body;
    const parsed = ssh2.utils.parseKey(private_key);
    if (parsed instanceof Error) throw parsed;
    expect(`ssh-ed25519 ${parsed.getPublicSSH().toString('base64')}`).toBe(shown.public_key);
    expect((await team.post(path, request, key)).body).toEqual(reply.body);
    expect((await team.get(`${path}/${String(shown.id)}`)).body).toEqual(shown);
    expect((await team.get(path)).body.data[0]).toEqual(shown);
    const events = await eventsOf(api, team, shown.id);
    expect(JSON.stringify(events)).not.toContain('PRIVATE KEY');
    const rows = await api.db.look(
      (sql) => sql`select * from sftp_credentials where id = ${shown.id}`,
    );
    expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY');
  });

  test('every server shows the same host key', async () => {
    const fresh = await startTestApi();
    const own = await fresh.newTeam();
    const all = await Promise.all(Array.from({ length: 4 }, () => made({}, own)));
    const seen = new Set(
      (await own.get(path)).body.data.flatMap((row: any) => row.host_key_fingerprints),
    );
    await fresh.stop();
    expect([all.length, seen.size]).toEqual([4, 1]);
  });

  test.each([
    ['ecdsa-sha2-nistp256', () => sshKeyPair('ecdsa', 256).public],
    ['ecdsa-sha2-nistp384', () => sshKeyPair('ecdsa', 384).public],
    ['ecdsa-sha2-nistp521', () => sshKeyPair('ecdsa', 521).public],
    ['ssh-rsa', () => rsaLine(3_072)],
  ])('takes keys of type %s', async (key_type, line) => {
    expect(await made({ public_key: line().trim() })).toMatchObject({ key_type });
  });

  test.each([
    ['an RSA key of 2048 bits', () => rsaLine(2_048), 'min'],
    ['a DSA key', () => 'ssh-dss AAAAB3NzaC1kc3MAAACBAA==', 'enum'],
    ['a private key', () => sshKeyPair().private, 'format'],
    ['a cut key', () => aKey().slice(0, 60), 'format'],
    [
      'a key of another type than it says',
      () => aKey().replace('ssh-ed25519 ', 'ssh-rsa '),
      'format',
    ],
    ['two lines', () => `${aKey()}\n${aKey()}`, 'format'],
    ['options before the key', () => `command="sh" ${aKey()}`, 'format'],
    ['words', () => 'not a key', 'enum'],
  ])('refuses %s', async (_, line, rule) => {
    const refused = await team.post(path, { name: 'x', public_key: line() });
    expect(problemOf(refused)).toEqual([422, 'validation_failed', '/public_key', rule]);
  });

  test('requires either a public key or generate_key_pair, not both', async () => {
    const neither = await team.post(path, { name: 'x' });
    expect(problemOf(neither)).toEqual([422, 'validation_failed', '/public_key', 'required']);
    const both = await team.post(path, { name: 'x', public_key: aKey(), generate_key_pair: true });
    expect(problemOf(both)).toEqual([422, 'validation_failed', '/public_key', 'unknown_field']);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', '2001:db8::/129', 'fe80::1%eth0/64', '10.0.0/8', '/8'])(
    'refuses %s as a network',
    async (cidr) => {
      const refused = await team.post(path, {
        name: 'x',
        public_key: aKey(),
        allowed_cidrs: ['10.0.0.0/8', cidr],
      });
      expect(problemOf(refused)).toEqual([422, 'validation_failed', '/allowed_cidrs/1', 'format']);
    },
  );

  test('a key is reserved within its team until its credentials are deleted', async () => {
    const public_key = aKey();
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((name) => team.post(path, { name, public_key })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const id = replies.find(({ status }) => status === 201)?.body.id;
    await team.post(`${path}/${String(id)}/revoke`);
    const refused = await team.post(path, { name: 'd', public_key: `${public_key} other comment` });
    expect(codeOf(refused)).toEqual([409, 'public_key_taken']);
    expect(refused.body.errors[0].meta.id).toBe(id);
    await made({ public_key }, await api.newTeam());
    expect((await team.delete(`${path}/${String(id)}`)).status).toBe(204);
    await made({ public_key });
  });

  test('a team has twenty active credentials at most, also under concurrent requests', async () => {
    const own = await api.newTeam();
    const all = await Promise.all(Array.from({ length: 19 }, () => made({}, own)));
    const race = await Promise.all(
      Array.from({ length: 3 }, () => own.post(path, { name: 'x', public_key: aKey() })),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    await own.post(`${path}/${String(all[0]?.['id'])}/revoke`);
    await made({}, own);
    expect(codeOf(await own.post(path, { name: 'x', public_key: aKey() }))).toEqual([
      422,
      'quota_exceeded',
    ]);
    await expire(String(all[1]?.['id']));
    await made({}, own);
  });
});

describe('the end of credentials', () => {
  test('a revocation is permanent', async () => {
    const { id } = await made();
    const its = `${path}/${String(id)}`;
    const revoked = await team.post(`${its}/revoke`);
    expect(revoked.body).toMatchObject({
      status: 'revoked',
      is_active: false,
      revoked_at: expect.any(String),
    });
    for (const refused of [
      await team.post(`${its}/revoke`),
      await team.patch(its, { expires_at: tomorrow() }),
    ]) {
      expect(codeOf(refused)).toEqual([409, 'invalid_state_transition']);
      expect(refused.body.errors[0].meta).toMatchObject({ state: 'revoked', allowed_actions: [] });
    }
    expect((await team.patch(its, { name: 'Kept for the record' })).status).toBe(200);
  });

  test('credentials expire by the clock, permanently, and are listed as expired', async () => {
    const own = await api.newTeam();
    const { id } = await made({ expires_at: tomorrow() }, own);
    const live = await made({}, own);
    await expire(id);
    expect((await own.get(`${path}/${String(id)}`)).body).toMatchObject({
      status: 'expired',
      is_active: false,
    });
    const refused = await own.patch(`${path}/${String(id)}`, { expires_at: null });
    expect(codeOf(refused)).toEqual([409, 'invalid_state_transition']);
    const idsOf = async (query: string) =>
      (await own.get(`${path}?${query}`)).body.data.map((row: any) => row.id);
    expect(await idsOf('filter[status]=expired')).toEqual([id]);
    expect(await idsOf('filter[is_active]=true')).toEqual([live['id']]);
    expect((await own.get(`${path}?meta=count`)).body.meta).toEqual({ count: 2 });
  });

  test('an expiry in the past is refused', async () => {
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    const refused = await team.post(path, { name: 'x', public_key: aKey(), ...past });
    expect(problemOf(refused)).toEqual([422, 'validation_failed', '/expires_at', 'min']);
    const { id } = await made();
    expect((await team.patch(`${path}/${String(id)}`, past)).status).toBe(422);
  });
});

test('a resource that was read can be sent back, but another key is refused', async () => {
  const read = await made({ expires_at: tomorrow() });
  const its = `${path}/${String(read['id'])}`;
  const same = await team.patch(its, read);
  expect(same.body).toEqual(read);
  const moved = await team.patch(its, { ...read, purpose: 'accounts', expires_at: null });
  expect(moved.body).toMatchObject({ purpose: 'accounts' });
  expect(moved.body).not.toHaveProperty('expires_at');
  const other = await team.patch(its, { public_key: aKey() });
  expect(problemOf(other)).toEqual([422, 'immutable_field', '/public_key', undefined]);
});

test('uploads are listed by the latest, by credentials and by status', async () => {
  const own = await api.newTeam();
  const [one, two] = [await made({}, own), await made({}, own)];
  await api.db.look(
    (sql) => sql`
    insert into sftp_uploads
      (team_id, sftp_credential_id, path, status, size_bytes, error_code, error_detail, inserted_at)
    values
      (${own.id}, ${String(one['id'])}, '/in/contacts/a.csv', 'processed', 10, null, null,
        now() - interval '1 minute'),
      (${own.id}, ${String(two['id'])}, '/../etc', 'failed', null, 'path_not_allowed',
        'Outside of the home directory.', now())`,
  );
  const listed = async (query: string) =>
    (await own.get(`/v2/partner/sftp-uploads?${query}`)).body.data;
  const [latest, first] = await listed('');
  expect(latest).toEqual({
    id: expect.any(String),
    type: 'sftp_upload',
    team_id: own.id,
    sftp_credential_id: two['id'],
    path: '/../etc',
    status: 'failed',
    error: { code: 'path_not_allowed', detail: 'Outside of the home directory.' },
    inserted_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(first).toMatchObject({ status: 'processed', size_bytes: 10 });
  expect(await listed(`filter[sftp_credential_id]=${String(one['id'])}`)).toEqual([first]);
  expect(await listed('filter[status]=failed')).toEqual([latest]);
  expect((await own.get(`/v2/partner/sftp-uploads/${String(latest.id)}`)).body).toEqual(latest);
});
