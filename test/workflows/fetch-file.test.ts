import { Client, Connection } from '@temporalio/client';
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchAttributes } from '../../src/platform/temporal/search-attributes.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { endOf, startEntry, untilTrueWhileRunning } from '../commands/spawn.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import type { TestReceiver } from '../inbound/a-receiver.ts';
import { password, startManagedServer } from '../operations/sftp/a-managed-server.ts';
import type { ManagedServer } from '../operations/sftp/a-managed-server.ts';
import { aSource, newSource, sourcesPath, tellOf, uploadsOf } from '../operations/sftp/a-source.ts';
import type { TestSource } from '../operations/sftp/a-source.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { takePort } from '../support/ports.ts';
import { newNamespace, startTestWorker } from '../support/worker.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { fileFetchJob, fileSourceTestJob } from '../../workflows/jobs.ts';

const keys = JSON.stringify(newKeyFile());
const remote = '/home/bank/inbox/june.csv';
const workers: ChildProcess[] = [];
let api: TestApi;
let team: TestTeam;
let receiver: TestReceiver;
let server: ManagedServer;
let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  server = await startManagedServer();
  api = await startTestApi({ ONWARD_KEYS: keys, FILE_FETCH_RETRY_SCHEDULE_SECONDS: '0,0,0' });
  team = await api.newTeam();
  receiver = await aReceiver(api, team, { receiver_kind: 'file_transfer_a' });
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await server.close();
  await connection.close();
  await api.stop();
});

const ended = (source: TestSource) =>
  eventually(
    async () => (await uploadsOf(team, source))[0] ?? {},
    ({ status }) => status === 'processed' || status === 'failed',
  );

test('the file of a callback becomes contacts after temporary faults; its source is tested', async () => {
  const namespace = await newNamespace();
  const worker = await startTestWorker(api, { namespace });
  const client = new Client({ connection, namespace });
  server.files.set(remote, { content: Buffer.from('unique_id\nfetched-1\n'), size: 1_000 });
  const source = await newSource(team, aSource(server));
  await tellOf(receiver, source);
  await untilTrue(() => server.opened.length > 0);
  server.files.set(remote, { content: Buffer.from('unique_id\nfetched-1\n') });
  const upload = await ended(source);
  expect(upload).toMatchObject({ status: 'processed', path: '/inbox/june.csv' });
  const contacts = await team.get('/v2/partner/contacts?filter[unique_id]=fetched-1');
  expect(contacts.body.data).toHaveLength(1);

  const handle = client.workflow.getHandle(jobId(fileFetchJob, String(upload['id'])));
  expect(await handle.result()).toEqual({ outcome: 'fetched', attempts: 2 });
  const history = JSON.stringify(await handle.fetchHistory());
  expect(history).not.toContain(password);
  expect(history).not.toContain(Buffer.from(password).toString('base64').slice(0, 20));

  expect((await team.post(`${sourcesPath}/${source.id}/test`)).status).toBe(202);
  await eventually(
    async () => (await team.get(`${sourcesPath}/${source.id}`)).body.test_status,
    (status) => status === 'succeeded',
  );
  const tested = client.workflow.getHandle(jobId(fileSourceTestJob, source.id));
  expect(await tested.result()).toEqual({ outcome: 'succeeded' });
  const outcomes = await Promise.all(
    [handle, tested].map(async (one) => (await one.describe()).typedSearchAttributes),
  );
  expect(outcomes.map((shown) => shown.get(searchAttributes.outcome))).toEqual([
    'fetched',
    'succeeded',
  ]);
  await worker.close();
});

test('a file whose worker is killed during its transfer is fetched by the next worker and imported once', async () => {
  const settings = {
    DATABASE_URL: api.db.url,
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
    ONWARD_KEYS: keys,
    PUBLIC_BASE_URL: 'http://onward.test',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    METRICS_PORT: String(await takePort()),
    ...{ HOST: '127.0.0.1', SFTP_ENABLED: 'false', LOG_LEVEL: 'silent' },
  };
  const start = () => {
    const worker = startEntry('src/worker.ts', [], settings);
    workers.push(worker);
    return worker;
  };
  const emptyLines = '\n'.repeat(3_000_000);
  server.files.set(remote, { content: Buffer.from(`unique_id\nkilled-1${emptyLines}`) });
  const sentBefore = server.sentBytes();
  server.stallAt(sentBefore + 2_500_000);
  const source = await newSource(team, aSource(server));
  await tellOf(receiver, source);
  const first = start();
  await untilTrueWhileRunning(first, () => server.sentBytes() > sentBefore + 2_400_000);
  first.kill('SIGKILL');
  await endOf(first);
  expect(await uploadsOf(team, source)).toMatchObject([{ status: 'receiving' }]);
  server.stallAt(Infinity);
  start();
  expect(await ended(source)).toMatchObject({ status: 'processed' });
  const runs = await api.db.look(
    (sql) => sql<{ total_count: number }[]>`
      select total_count from operation_runs where file_source_id = ${source.id}`,
  );
  expect(runs).toEqual([{ total_count: 1 }]);
});
