import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { endOf, startEntry, untilTrueWhileRunning } from '../commands/spawn.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { aReader, aSendingTemplate, enrolled } from '../journeys/a-send.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { aBatch, contactsOf, keysOf, whenRun } from '../operations/runs/a-run.ts';
import { connect, newCredential } from '../operations/sftp/a-client.ts';
import { startManagedServer } from '../operations/sftp/a-managed-server.ts';
import type { ManagedServer } from '../operations/sftp/a-managed-server.ts';
import { aSource, newSource, tellOf, uploadsOf } from '../operations/sftp/a-source.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { takePorts } from '../support/ports.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { detailsOf } from '../support/use-service.ts';
import { newNamespace } from '../support/worker.ts';
import { aScene, aVisitor } from '../widget/a-widget.ts';

// Two API processes and a worker, as in production; an operator suspends and resumes. Most of it is
// waiting, so the tests run at the same time.

const why = ['--reason', 'invoice 7 is open'];
const keyFile = join(scratchDirectory(), 'keys.json');
let api: TestApi;
let mail: MailServer;
let receiver: Receiver;
let children: ChildProcess[] = [];
let urls: string[] = [];
let sftpPort = 0;
let namespace = '';
let files: ManagedServer;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  writeFileSync(keyFile, keys);
  mail = await startMailServer();
  receiver = await startReceiver();
  files = await startManagedServer();
  namespace = await newNamespace();
  api = await startTestApi({ ONWARD_KEYS: keys });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = keyFile;
  const [first = 0, second = 0, sftp = 0, ...monitoring] = await takePorts(6);
  sftpPort = sftp;
  urls = [first, second].map((port) => `http://127.0.0.1:${String(port)}`);
  const shared = {
    ...{ DATABASE_URL: api.db.url, ONWARD_KEYS: keys, HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
    ...{ PUBLIC_BASE_URL: 'http://onward.test', PUBLIC_HOSTS: '127.0.0.1' },
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: namespace,
    ...{ SENDING_EXAMPLE_DOMAINS: 'true', SMTP_URL: mail.url },
    ...{ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_LOOPBACK: 'true', SFTP_PORT: String(sftp) },
  };
  const entries = ['src/api.ts', 'src/api.ts', 'src/worker.ts'];
  children = entries.map((entry, at) =>
    startEntry(entry, [], {
      ...shared,
      PORT: String([first, second][at] ?? first),
      METRICS_PORT: String(monitoring[at]),
    }),
  );
  for (const [at, child] of children.entries()) {
    child.stdout?.resume();
    const ready = `http://127.0.0.1:${String(monitoring[at])}/readyz`;
    await untilTrueWhileRunning(
      child,
      async () => (await fetch(ready).catch(() => undefined))?.status === 200,
    );
  }
});
afterAll(async () => {
  const living = children.filter(({ exitCode }) => exitCode === null);
  const ends = living.map(endOf);
  for (const child of living) child.kill('SIGTERM');
  await Promise.all(ends);
  await mail.stop();
  await files.close();
  await receiver.stop();
  await api.stop();
});

async function admin(...args: string[]) {
  const lines: string[] = [];
  await createAdmin((line) => lines.push(line)).parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}

/** The status of a call in each API process. */
const statuses = ({ token }: TestTeam) =>
  Promise.all(
    urls.map(async (url) => {
      const headers = { Authorization: `Bearer ${token}` };
      const reply = await fetch(`${url}/v2/partner/contacts`, { headers });
      await reply.arrayBuffer();
      return reply.status;
    }),
  );

const allAre = async (team: TestTeam, status: number) =>
  (await statuses(team)).every((one) => one === status);

const loginOf = (credential: Parameters<typeof connect>[1]) =>
  connect(sftpPort, credential).then(
    async (client) => {
      await client.end();
      return 'accepted';
    },
    () => 'refused',
  );

/** Seconds until each effect has stopped or gone on, printed: the promise is ten seconds. */
async function measure(title: string, effects: Record<string, () => Promise<unknown>>) {
  const startedAtMs = performance.now();
  const seconds = await Promise.all(
    Object.entries(effects).map(async ([name, effect]) => {
      await effect();
      return `${name} ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`;
    }),
  );
  process.stdout.write(`${title}: ${seconds.join(', ')}\n`);
}

/** A subscription that gets one event a second, so that a suspension finds many waiting. */
async function aSlowSubscription(team: TestTeam, path: string): Promise<string> {
  const target_url = `${receiver.url}/${path}`;
  const subscription = { target_url, event_types: ['contact.created'] };
  const { body } = await team.post('/v2/partner/webhook-subscriptions', subscription);
  const id = String(body.id);
  const settings = `/v2/partner/webhook-subscriptions/${id}/delivery-settings`;
  expect((await team.patch(settings, { rate_limit_per_second: 1 })).status).toBe(200);
  return id;
}

const receivedAt = (path: string) =>
  receiver.received.filter((one) => one.path.endsWith(`/${path}`));

/** Resolves once nothing has come for longer than the slowest pace. */
async function whenQuiet(path: string) {
  await untilTrue(() => {
    const last = receivedAt(path).at(-1)?.atMs ?? 0;
    return Date.now() - last > 3_500;
  });
}

async function make(team: TestTeam, count: number) {
  for (const unique_id of keysOf(count)) await team.post('/v2/partner/contacts', { unique_id });
}

test.concurrent(
  'a suspended team stands still in every process, and goes on where it was',
  async () => {
    const team = await api.newTeam();
    await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
    const path = randomUUID();
    const template = await aSendingTemplate(team);
    const email = `${randomUUID()}@example.com`;
    const person = await aReader(team, { email });
    await aSlowSubscription(team, path);
    const credential = await newCredential(team);
    const open = await connect(sftpPort, credential);
    const closed = once(open.connection, 'close');
    expect(await statuses(team)).toEqual([200, 200]);
    await make(team, 12);
    await untilTrue(() => receivedAt(path).length >= 2);
    const batch = await aBatch(team, { items: contactsOf(keysOf(1_000)) });

    await admin('teams', 'suspend', team.id, ...why);
    await measure('suspended team', {
      tokens: () => untilTrue(() => allAre(team, 403)),
      sftp: () => closed,
      logins: () => untilTrue(async () => (await loginOf(credential)) === 'refused'),
    });
    await whenQuiet(path);
    const before = receivedAt(path).length;
    expect(before).toBeLessThan(12);
    // Messages that are decided meanwhile wait too.
    await enrolled(team, template, [person]);
    const statusesOf = () =>
      api.db.look(
        (sql) => sql<{ status: string }[]>`
        select status from message_deliveries where team_id = ${team.id}`,
      );
    expect(await eventually(statusesOf, ({ length }) => length > 0)).toEqual([
      { status: 'queued' },
    ]);
    const [run] = await runsOf(team);
    await whenQuiet(path);
    expect(receivedAt(path)).toHaveLength(before);
    expect(mail.received.filter(({ recipient }) => recipient === email)).toEqual([]);
    expect(await runsOf(team)).toEqual([run]);
    expect(run?.status).not.toBe('succeeded');

    await admin('teams', 'resume', team.id, ...why);
    await measure('resumed team', {
      tokens: () => untilTrue(() => allAre(team, 200)),
      logins: () => untilTrue(async () => (await loginOf(credential)) === 'accepted'),
      webhooks: () => untilTrue(() => receivedAt(path).length > before),
      messages: () => untilTrue(() => mail.received.some(({ recipient }) => recipient === email)),
      batch: async () => {
        await untilTrue(async () => (await team.get(batch)).status === 200);
        expect(await whenRun(team, batch)).toMatchObject({
          ...{ status: 'succeeded', succeeded_count: 1_000, failed_count: 0 },
        });
      },
    });
    // Each contact of the batch is an event more; one second each would be long.
    const { body } = await team.get('/v2/partner/webhook-subscriptions');
    const settings = `/v2/partner/webhook-subscriptions/${String(body.data[0].id)}/delivery-settings`;
    await team.patch(settings, { rate_limit_per_second: null });
    await untilTrue(() => receivedAt(path).length >= 1_012);
    await whenQuiet(path);
    const ids = receivedAt(path).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([1_012, 1_012]);
    expect(mail.received.filter(({ recipient }) => recipient === email)).toHaveLength(1);
  },
);

test.concurrent(
  'a suspended client, and what it has made, stand still in every process',
  async () => {
    const team = await api.newTeam();
    const client = await team.withScopes(
      ...['partner:webhooks:write', 'partner:contacts:read', 'partner:contacts:write'],
      ...['partner:sftp:write', 'partner:objectives:write'],
    );
    const path = randomUUID();
    await aSlowSubscription(client, path);
    const credential = await newCredential(client);
    expect(await statuses(client)).toEqual([200, 200]);
    await make(team, 8);
    await untilTrue(() => receivedAt(path).length >= 2);

    await admin('clients', 'suspend', client.clientId, ...why);
    await measure('suspended client', {
      tokens: () => untilTrue(() => allAre(client, 401)),
      logins: () => untilTrue(async () => (await loginOf(credential)) === 'refused'),
    });
    expect(await statuses(team)).toEqual([200, 200]);
    await whenQuiet(path);
    const before = receivedAt(path).length;
    expect(before).toBeLessThan(8);

    await admin('clients', 'resume', client.clientId, ...why);
    await measure('resumed client', {
      logins: () => untilTrue(async () => (await loginOf(credential)) === 'accepted'),
      webhooks: () => untilTrue(() => receivedAt(path).length >= 8),
    });
    await whenQuiet(path);
    const ids = receivedAt(path).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([8, 8]);
    // Its earlier token has ended for good.
    expect(await statuses(client)).toEqual([401, 401]);
  },
);

const runsOf = (team: TestTeam) =>
  api.db.look(
    (sql) => sql<{ status: string; processed_count: number }[]>`
      select status, processed_count from operation_runs where team_id = ${team.id}`,
  );

/** Resolves once the details of a workflow, as operators see them, contain the words. */
async function untilDetails(workflowId: string, words: string): Promise<void> {
  const address = required(environmentNames.temporalAddress);
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  await detailsOf(client.workflow.getHandle(workflowId), words);
  await connection.close();
}

/** Stops a process for the time of some work. */
async function whileStopped<T>(child: ChildProcess | undefined, work: () => Promise<T>) {
  child?.kill('SIGSTOP');
  try {
    return await work();
  } finally {
    child?.kill('SIGCONT');
  }
}

/** When the worker is to look next at the code and at the file of a team. */
const nextLooks = (team: TestTeam) =>
  api.db.look(
    (sql) => sql<{ kind: string; at: string }[]>`
      select 'code' as kind, next_attempt_at::text as at from message_sends
      where team_id = ${team.id}
      union all
      select 'file', next_attempt_at::text from file_fetches where team_id = ${team.id}
      order by kind`,
  );

test.concurrent('exports, codes and files of a suspended team wait in every process', async () => {
  const email = `${randomUUID()}@example.com`;
  const scene = await aScene(api, {
    contact: { email },
    template: { secure_personalization: { enabled: true, factors: ['otp_email'] } },
  });
  const { team } = scene;
  const visitor = await aVisitor(api, scene);
  const source = await newSource(team, aSource(files));
  const callbacks = await aReceiver(api, team, { receiver_kind: 'file_transfer_a' });
  files.files.set('/home/bank/inbox/june.csv', { content: Buffer.from('unique_id\nfrom-june\n') });

  // The worker stands still, so that it does nothing of it before the suspension.
  const challenges = `${visitor.path}/identity-challenges`;
  const { exported, challenge, before } = await whileStopped(children[2], async () => {
    const exported = await team.post('/v2/partner/exports', { kind: 'contacts', format: 'csv' });
    expect(exported.status).toBe(202);
    const body = { factor: 'otp_email' };
    const challenge = await visitor.call('POST', challenges, { body });
    expect(challenge.status).toBe(201);
    expect(await tellOf(callbacks, source)).toMatchObject({ status: 'processed' });
    const before = await nextLooks(team);
    expect(before.map(({ kind }) => kind)).toEqual(['code', 'file']);
    await admin('teams', 'suspend', team.id, ...why);
    return { exported, challenge, before };
  });

  const exportId = String(exported.body.id);
  const exportPath = `/v2/partner/exports/${exportId}`;
  await untilDetails(`export/${exportId}`, 'its team is suspended');
  await eventually(
    () => nextLooks(team),
    (looks) => looks.length === 2 && looks.every(({ at }, index) => at !== before[index]?.at),
  );
  expect(mail.received.filter(({ recipient }) => recipient === email)).toEqual([]);
  expect([files.connections(), files.opened]).toEqual([0, []]);
  const written = await api.db.look(
    (sql) => sql`select row_count, size_bytes from exports where team_id = ${team.id}`,
  );
  expect(written).toMatchObject([{ row_count: 0, size_bytes: 0 }]);

  await admin('teams', 'resume', team.id, ...why);
  await untilTrue(() => allAre(team, 200));
  let code = '';
  await measure('resumed team', {
    exports: () => untilTrue(async () => (await team.get(exportPath)).body.status === 'succeeded'),
    codes: () =>
      untilTrue(() => {
        const sent = mail.received.find(({ recipient }) => recipient === email);
        code = /\b\d{6}\b/.exec(sent?.source ?? '')?.[0] ?? '';
        return sent !== undefined;
      }),
    files: () =>
      untilTrue(async () => (await uploadsOf(team, source))[0]?.['status'] === 'processed'),
  });
  const file = await team.get(`${exportPath}/file`);
  expect(file.body).toContain(email);
  const answers = `${challenges}/${String(challenge.body.id)}/answers`;
  const answer = await visitor.call('POST', answers, { body: { answer: code } });
  expect(answer.body).toMatchObject({ status: 'passed' });
  const found = await team.get('/v2/partner/contacts?filter[unique_id]=from-june');
  expect(found.body.data).toHaveLength(1);
  expect(files.opened).toHaveLength(1);
});
