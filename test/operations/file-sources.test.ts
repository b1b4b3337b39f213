import { beforeEach, describe, expect, test } from '@jest/globals';
import { fileSourceSealContext } from '../../src/operations/file-sources/queries.ts';
import { sourcesPath as path } from './sftp/a-source.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { sshKeyPair } from '../support/ssh-keys.ts';

const api = useTestApi();
let team: TestTeam;

beforeEach(async () => {
  team = await api.newTeam();
});

const pin = `SHA256:${'A'.repeat(43)}`;
const sftp = (fields: object = {}) => ({
  name: 'Core banking',
  source_kind: 'sftp',
  server_id: 's-1',
  purpose: 'contacts',
  host: 'Files.Example.com',
  username: 'onward',
  host_key_fingerprints: [pin],
  password: 'a good password',
  ...fields,
});
const https = (fields: object = {}) => ({
  name: 'Exports',
  source_kind: 'https',
  server_id: 's-2',
  purpose: 'accounts',
  host: 'files.example.com',
  bearer_token: 'abc',
  ...fields,
});
const problemsOf = ({ status, body }: Reply) => [
  status,
  ...body.errors.map(({ code, meta }: any) => [code, meta?.pointer, meta?.rule]),
];
const secretOf = async (id: string) => {
  const [row] = await api.db.look(
    (sql) => sql<{ sealed_credential: string }[]>`
      select sealed_credential from file_sources where id = ${id}`,
  );
  return api.keyring.open(row?.sealed_credential ?? '', fileSourceSealContext(team.id, id));
};

describe('a file source', () => {
  test('has the port of its kind, the root on both sides, and a canonical host', async () => {
    const made = await team.post(path, sftp({ server_path: '/inbox//daily/' }));
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${path}/${String(made.body.id)}`);
    expect(made.body).toMatchObject({
      type: 'file_source',
      host: 'files.example.com',
      port: 22,
      server_path: '/inbox/daily',
      base_path: '/',
      is_active: true,
      authentication: 'password',
      host_key_fingerprints: [pin],
    });
    const other = await team.post(path, https());
    expect(other.body).toMatchObject({ port: 443, authentication: 'bearer_token' });
    const list = await team.get(`${path}?filter[source_kind]=https`);
    expect(list.body.data).toEqual([other.body]);
  });

  test('logs in with a key whose public half it shows', async () => {
    const pair = sshKeyPair('ecdsa', 256);
    const own = await team.post(path, sftp({ password: null, private_key: pair.private }));
    expect(own.body).toMatchObject({ authentication: 'private_key', public_key: pair.public });
    expect(await secretOf(own.body.id)).toBe(pair.private);
    const made = await team.post(
      path,
      sftp({ server_id: 's-2', password: null, generate_key_pair: true }),
    );
    expect(made.body.public_key).toMatch(/^ssh-ed25519 /);
    expect(await secretOf(made.body.id)).toContain('PRIVATE KEY');
  });

  test.each([
    ['no credential', sftp({ password: null }), ['/password', 'required']],
    ['two credentials', sftp({ generate_key_pair: true }), ['/generate_key_pair', 'unknown_field']],
    ['no pinned key', sftp({ host_key_fingerprints: [] }), ['/host_key_fingerprints', 'required']],
    ['no user', sftp({ username: null }), ['/username', 'required']],
    [
      'a token for SFTP',
      sftp({ password: null, bearer_token: 'a' }),
      ['/bearer_token', 'unknown_field'],
    ],
    ['a key that is none', sftp({ password: null, private_key: 'a' }), ['/private_key', 'format']],
    [
      'a key for HTTPS',
      https({ bearer_token: null, generate_key_pair: true }),
      ['/private_key', 'unknown_field'],
    ],
    [
      'a pin for HTTPS',
      https({ host_key_fingerprints: [pin] }),
      ['/host_key_fingerprints', 'unknown_field'],
    ],
    [
      'a password without user',
      https({ bearer_token: null, password: 'a' }),
      ['/username', 'required'],
    ],
    [
      'a colon in the user of HTTP Basic',
      https({ bearer_token: null, password: 'a', username: 'a:b' }),
      ['/username', 'format'],
    ],
    ['a folder that climbs', sftp({ base_path: '/a/../..' }), ['/base_path', 'format']],
    [
      'a weak RSA key',
      sftp({ password: null, private_key: sshKeyPair('rsa', 2048).private }),
      ['/private_key', 'min'],
    ],
  ])('with %s is refused', async (_, body, [pointer, rule]) => {
    expect(problemsOf(await team.post(path, body))).toEqual([
      422,
      ['validation_failed', pointer, rule],
    ]);
  });

  test.each([
    ['10.0.0.1', 22, '/host'],
    ['169.254.169.254', 443, '/host'],
    ['[fd00::1]', 443, '/host'],
    ['files.example.com', 25, '/port'],
  ])('at %s:%d is refused', async (host, port, pointer) => {
    expect(problemsOf(await team.post(path, sftp({ host, port })))).toEqual([
      422,
      ['target_not_allowed', pointer, undefined],
    ]);
  });

  test('for files of another source is refused, at its creation and at a change', async () => {
    const first = await team.post(path, sftp());
    const second = await team.post(path, sftp());
    expect(second.status).toBe(409);
    expect(second.body.errors).toMatchObject([
      { code: 'file_source_taken', meta: { id: first.body.id } },
    ]);
    const other = await team.post(path, sftp({ server_username: 'bank' }));
    const changed = await team.patch(`${path}/${String(other.body.id)}`, { server_username: null });
    expect([changed.status, changed.body.errors[0].code]).toEqual([409, 'file_source_taken']);
    await team.delete(`${path}/${String(first.body.id)}`);
    expect((await team.post(path, sftp())).status).toBe(201);
  });

  test('retains its credential unless another one is sent', async () => {
    const { body } = await team.post(path, sftp());
    const one = `${path}/${String(body.id)}`;
    const renamed = await team.patch(one, { name: 'Other' });
    expect(renamed.body).toMatchObject({
      name: 'Other',
      credential_changed_at: body.credential_changed_at,
    });
    expect(await secretOf(body.id)).toBe('a good password');
    const unchanged = await team.patch(one, { name: 'Other', password: null });
    expect(unchanged.headers.get('etag')).toBe(renamed.headers.get('etag'));
    const keyed = await team.patch(one, { generate_key_pair: true });
    expect(keyed.body).toMatchObject({ authentication: 'private_key' });
    const back = await team.patch(one, { password: 'better' });
    expect(back.body).not.toHaveProperty('public_key');
    expect(await secretOf(body.id)).toBe('better');
    const kind = await team.patch(one, { source_kind: 'https' });
    expect(problemsOf(kind)).toEqual([422, ['immutable_field', '/source_kind', undefined]]);
  });

  test('loses its credential when it is deleted', async () => {
    const { body } = await team.post(path, sftp());
    expect((await team.delete(`${path}/${String(body.id)}`)).status).toBe(204);
    expect((await team.get(`${path}/${String(body.id)}`)).status).toBe(404);
    const rows = await api.db.look(
      (sql) => sql`select sealed_credential from file_sources where id = ${body.id}`,
    );
    expect(rows).toEqual([{ sealed_credential: null }]);
  });
});
