import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLog } from '../../src/platform/observability/log.ts';
import { startSftpServer } from '../../src/operations/sftp/server.ts';
import type { SftpServer } from '../../src/operations/sftp/server.ts';
import { connect } from '../operations/sftp/a-client.ts';
import { aSource, sourcesPath } from '../operations/sftp/a-source.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
const credentials = '/v2/partner/sftp-credentials';
const write = 'partner:contacts:write';
let server: SftpServer;
let team: TestTeam;
let weak: TestTeam;

beforeAll(async () => {
  const log = createLog('silent', 'worker');
  server = await startSftpServer(
    { database: api.db.database, keyring: api.keyring, log },
    { host: '127.0.0.1', port: 0, graceMs: 0 },
  );
});
afterAll(() => server.close());
beforeEach(async () => {
  team = await api.newTeam();
  weak = await team.withScopes('partner:sftp:write');
});

const make = async (by: TestTeam, fields: object = {}) =>
  by.post(credentials, { name: 'nightly', generate_key_pair: true, ...fields });

/** Puts a file and returns its upload. */
async function put(credential: any, folder = 'contacts'): Promise<any> {
  const client = await connect(server.port, credential);
  await client
    .put(`/in/${folder}/june.csv`, 'unique_id,phone\ncrm-1,+14155559999\n')
    .catch(() => undefined);
  await client.end();
  const { body } = await team.get('/v2/partner/sftp-uploads');
  return body.data[0];
}
const runs = () => api.db.look((sql) => sql`select from operation_runs where team_id = ${team.id}`);

test('a client without the scopes of a purpose cannot choose it', async () => {
  for (const purpose of ['contacts', 'accounts', 'objective_completions', 'mixed']) {
    const { status, body } = await make(weak, { purpose });
    expect([purpose, status, body.errors[0].code]).toEqual([purpose, 401, 'scope_missing']);
  }
  const some = await team.withScopes('partner:sftp:write', write);
  expect((await make(some, { purpose: 'contacts' })).status).toBe(201);
  expect((await make(some, { purpose: 'mixed' })).status).toBe(401);
  const { status, body } = await weak.post(
    sourcesPath,
    aSource({ port: 22_222, hostKey: `SHA256:${'A'.repeat(43)}` }),
  );
  expect([status, body.errors[0].code]).toEqual([401, 'scope_missing']);
});

test('files of a client that may write no contacts change none', async () => {
  const made = await make(weak);
  expect([made.status, made.body.purpose]).toEqual([201, 'contacts']);
  const upload = await put(made.body);
  expect(upload).toMatchObject({ status: 'failed', error: { code: 'scope_missing' } });
  expect(await runs()).toHaveLength(0);
});

test('files lose the rights that their client loses, and regain them from another', async () => {
  const some = await team.withScopes('partner:sftp:write', write);
  const { body: credential } = await make(some, { purpose: 'contacts' });
  expect(await put(credential)).toMatchObject({ status: 'received' });
  await api.db.look(
    (sql) => sql`update clients set scopes = '{partner:sftp:write}' where id = ${some.clientId}`,
  );
  expect(await put(credential)).toMatchObject({ error: { code: 'scope_missing' } });
  const change = { purpose: 'contacts' };
  expect((await team.patch(`${credentials}/${credential.id}`, change)).status).toBe(200);
  expect(await put(credential)).toMatchObject({ status: 'received' });
  await api.db.look(
    (sql) => sql`update clients set suspended_at = now() where id = ${team.clientId}`,
  );
  const before = await runs();
  // Credentials of a suspended client log nobody in.
  await expect(connect(server.port, credential)).rejects.toThrow();
  expect(await runs()).toHaveLength(before.length);
});

test('a client cannot redirect the rights of another to its own files', async () => {
  const { body: credential } = await make(team, { purpose: 'mixed' });
  const path = `${credentials}/${credential.id}`;
  for (const change of [{ allowed_cidrs: ['203.0.113.0/24'] }, { purpose: 'contacts' }]) {
    const { status, body } = await weak.patch(path, change);
    expect([change, status, body.errors[0].code]).toEqual([change, 401, 'scope_missing']);
  }
  expect((await weak.patch(path, { name: 'other' })).status).toBe(200);
  const body = aSource({ port: 22_222, hostKey: `SHA256:${'A'.repeat(43)}` });
  const source = await team.post(sourcesPath, body);
  expect(source.status).toBe(201);
  const ofSource = `${sourcesPath}/${String(source.body.id)}`;
  const elsewhere = await weak.patch(ofSource, { host: 'files.example.net', password: 'x' });
  expect([elsewhere.status, elsewhere.body.errors[0].code]).toEqual([401, 'scope_missing']);
  expect((await weak.patch(ofSource, { is_active: false })).status).toBe(200);
  expect((await weak.patch(ofSource, { is_active: true })).status).toBe(401);
});
