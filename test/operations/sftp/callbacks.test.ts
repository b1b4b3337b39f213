import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectStored } from '../../../src/inbound/project.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { endAbandoned } from '../../../src/operations/sftp/upload-status.ts';
import { keepServing } from '../../../src/operations/sftp/keep-serving.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { aReceiver } from '../../inbound/a-receiver.ts';
import type { TestReceiver } from '../../inbound/a-receiver.ts';
import { called, connect, newCredential } from './a-client.ts';
import type { TestCredential } from './a-client.ts';

let api: TestApi;
let team: TestTeam;
let receiver: TestReceiver;
let drop: { port: number | undefined; close(): Promise<void> };

const dependencies = () => ({
  database: api.db.database,
  keyring: api.keyring,
  log: createLog('silent', 'worker'),
});

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  receiver = await aReceiver(api, team, { receiver_kind: 'file_transfer_a' });
  drop = await keepServing(dependencies(), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await drop.close();
  await api.stop();
});

const enter = (credential: TestCredential) => connect(drop.port ?? 0, credential);
const uploads = async (credential: TestCredential): Promise<Record<string, any>[]> =>
  (await team.get(`/v2/partner/sftp-uploads?filter[sftp_credential_id]=${credential.id}`)).body
    .data;

/** Sends a callback about a file, and returns the delivery after its projection. */
async function tell(fields: object): Promise<Record<string, any>> {
  const now = new Date().toISOString();
  const reply = await receiver.send({
    kind: 'file_transfer_a',
    event_type: 'file_uploaded',
    server_id: 's-0123456789abcdef0',
    upload_started_at: now,
    upload_completed_at: now,
    raw_topic_message_id: randomUUID(),
    ...fields,
  });
  expect(reply.status).toBe(200);
  const { data } = await receiver.deliveries();
  return data.find(({ id }: { id: string }) => id === reply.body.delivery_id);
}

const csv = 'unique_id\n1\n';

test('a callback about a file in the drop is matched to it, and nothing is imported twice', async () => {
  const credential = await newCredential(team);
  const client = await enter(credential);
  await client.put('/in/contacts/june.csv', csv);
  await client.end();
  const { username, home_directory } = credential;
  for (const path of ['/in/contacts/june.csv', `${home_directory}/in/contacts/june.csv`]) {
    expect(await tell({ username, path })).toMatchObject({ status: 'processed' });
  }
  expect(await uploads(credential)).toHaveLength(1);
  const runs = await api.db.look(
    (sql) => sql`select from operation_runs where sftp_credential_id = ${credential.id}`,
  );
  expect(runs).toHaveLength(1);
});

test('a callback about an absent file fails, and is applied once the file exists', async () => {
  const credential = await newCredential(team);
  const elsewhere = await tell({ username: 'bank', path: '/inbox/contacts.csv' });
  expect(elsewhere).toMatchObject({ status: 'failed', error: { code: 'source_not_readable' } });

  const early = await tell({ username: credential.username, path: '/in/contacts/late.csv' });
  expect(early).toMatchObject({ status: 'failed', error: { code: 'source_not_readable' } });
  const client = await enter(credential);
  await client.put('/in/contacts/late.csv', csv);
  await client.end();
  const again = await api.db.database.transact((sql) =>
    projectStored(sql, api.keyring, team.id, early['id']),
  );
  expect(again.status).toBe('processed');
});

test('a callback about an upload that failed at the provider is only recorded', async () => {
  const noted = await tell({
    event_type: 'file_upload_failed',
    username: 'bank',
    path: '/inbox/contacts.csv',
  });
  expect(noted).toMatchObject({ status: 'processed' });
});

test('a callback of one team is not matched to a file of another team', async () => {
  const other = await api.newTeam();
  const credential = await newCredential(other);
  const client = await enter(credential);
  await client.put('/in/contacts/theirs.csv', csv);
  await client.end();
  const { username } = credential;
  expect(await tell({ username, path: '/in/contacts/theirs.csv' })).toMatchObject({
    status: 'failed',
  });
});

test('maintenance ends abandoned uploads', async () => {
  const credential = await newCredential(team);
  const client = await enter(credential);
  await client.put('/in/contacts/whole.csv.part', csv);
  await called((done) => client.sftp.open('/in/contacts/half.csv', 'w', done));
  await client.put('/in/contacts/young.csv.part', csv);
  await api.db.look(
    (sql) => sql`
    update sftp_uploads set updated_at = now() - interval '25 hours'
    where sftp_credential_id = ${credential.id} and path not like '%young%'`,
  );
  expect(await endAbandoned(api.db.database, 10, createLog('silent', 'worker'))).toBe(2);
  const ended = (await uploads(credential)).map(({ path, status, error }) => [
    path,
    status,
    error?.code,
  ]);
  expect(ended).toEqual([
    ['/in/contacts/young.csv.part', 'receiving', undefined],
    ['/in/contacts/half.csv', 'failed', 'connection_lost'],
    ['/in/contacts/whole.csv.part', 'failed', 'never_renamed'],
  ]);
  await client.end();
});

test('a worker whose port is in use waits for it, and then listens', async () => {
  const first = await keepServing(dependencies(), { host: '127.0.0.1', port: 0 });
  const port = first.port ?? 0;
  const second = await keepServing(dependencies(), { host: '127.0.0.1', port });
  expect(second.port).toBeUndefined();
  await first.close();
  const credential = await newCredential(team);
  const client = await eventually(
    () => connect(port, credential).catch(() => undefined),
    (one) => one !== undefined,
  );
  expect(await client?.names('/')).toEqual(['in', 'out']);
  await client?.end();
  await second.close();
});
