import {
  chmodSync,
  chownSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { followDeliveries } from '../../../sdk/cli/src/commands/feed.ts';
import { triggeredEvents } from '../../../sdk/cli/src/commands/triggers.ts';
import { connect } from '../../../sdk/cli/src/session.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { closeAll, startReceiver } from '../../platform/egress/receiver.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';
import { runCli } from './run-cli.ts';

interface Heard {
  type: string;
  data: { id: string };
}

const directory = scratchDirectory();
const environment = { XDG_CONFIG_HOME: join(directory, 'config') };
let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
let credentials: string[];
const stopping = new AbortController();
const said: string[] = [];
const heard: Heard[] = [];
const madeIds = new Map<string, string>();
let listening: Promise<unknown>;

const secretSaid = () => /whsec_\S+/.exec(said.join('\n'))?.[0] ?? '';

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
  team = await api.newTeam({ tier: 'unlimited' });
  const receiver = await startReceiver((response, { headers, body }) => {
    heard.push(new Webhook(secretSaid()).verify(body, headers as Record<string, string>) as Heard);
    response.writeHead(204).end();
  });
  credentials = ['--url', api.url, '--client-id', team.clientId, '--client-secret'];
  credentials.push(team.clientSecret);
  const forward = ['--forward', `http://127.0.0.1:${receiver.port}/hook`];
  const write = (line: string) => said.push(line);
  listening = runCli(['listen', ...forward, ...credentials], {
    ...{ write, signal: stopping.signal, environment },
  });
  await eventually(async () => secretSaid(), Boolean);
  // Four at a time: all at once, on a busy machine, the last wait too long for a connection.
  const left = triggeredEvents.values();
  const triggerRest = async () => {
    for (const type of left) {
      const { path } = await trigger(type);
      madeIds.set(type, String(path).split('/').at(-1) ?? '');
    }
  };
  await Promise.all(Array.from({ length: 4 }, triggerRest));
});
afterAll(async () => {
  await closeAll();
  await worker.close();
  await api.stop();
});

const trigger = async (...args: string[]) => {
  const { code, lines } = await runCli(['trigger', ...args, '--json', ...credentials]);
  expect(code).toBe(0);
  return JSON.parse(lines.join('\n'));
};

test.each(triggeredEvents)(
  '%s can be triggered, and this machine receives it signed',
  async (type) => {
    const id = madeIds.get(type) ?? '';
    const event = await eventually(
      async () => heard.find((one) => one.type === type && concerns(one, id)),
      Boolean,
    );
    expect(event?.data).toHaveProperty('type');
  },
);

/** A message is sent in the journey that was triggered. */
const concerns = ({ data }: Heard, id: string) =>
  data.id === id || ('journey_id' in data && data.journey_id === id);

test('the triggerable events are listed, and other names are refused', async () => {
  expect(await trigger()).toEqual(triggeredEvents.map((event) => ({ event })));
  const refused = await runCli(['trigger', 'contact.create', ...credentials]);
  expect(refused).toMatchObject({ code: 2, error: expect.stringMatching(/contact\.created/) });
});

test('the secret stays the same for a service, a client and an address', async () => {
  const secretOf = async (...words: string[]) => {
    const given = ['listen', '--forward', 'http://localhost:4000/hook', '--print-secret'];
    const { code, lines, error } = await runCli([...given, ...credentials, ...words], {
      environment,
    });
    expect([code, error]).toEqual([0, '']);
    return lines.join('\n');
  };
  const first = await secretOf();
  expect(first).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(await secretOf()).toBe(first);
  expect(await secretOf('--forward', 'http://localhost:4000/other')).not.toBe(first);
  expect(await secretOf('--client-id', 'another')).not.toBe(first);
  expect(await secretOf('--url', 'https://elsewhere.example')).not.toBe(first);
  const renewed = await secretOf('--new-secret');
  expect(renewed).not.toBe(first);
  expect(await secretOf()).toBe(renewed);
});

test('a secret is read from a file of its owner alone', async () => {
  const folder = join(directory, 'private', 'onward', 'listen');
  const ask = () =>
    runCli(['listen', '--forward', 'http://localhost:4000', '--print-secret', ...credentials], {
      environment: { XDG_CONFIG_HOME: join(directory, 'private') },
    });
  await ask();
  const [name = ''] = readdirSync(folder);
  const file = join(folder, name);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const secret = readFileSync(file, 'utf8');
  expect(name).not.toContain('localhost');
  chmodSync(file, 0o640);
  expect(await ask()).toMatchObject({ code: 2, lines: [], error: expect.stringContaining(file) });
  renameSync(file, `${file}.real`);
  chmodSync(`${file}.real`, 0o600);
  symlinkSync(`${file}.real`, file);
  expect(await ask()).toMatchObject({ code: 2, lines: [], error: expect.stringContaining('link') });
  rmSync(file);
  writeFileSync(file, 'damaged\n', { mode: 0o600 });
  const { lines } = await ask();
  expect(lines[0]).toMatch(/^whsec_/);
  expect(`${lines[0] ?? ''}\n`).not.toBe(secret);
  // A test that is not root cannot give a file away.
  if (process.getuid?.() === 0) {
    chownSync(file, 65_534, 65_534);
    expect(await ask()).toMatchObject({ code: 2, error: expect.stringContaining('another user') });
  }
});

test('each event is printed, and the subscription is deleted when the listener stops', async () => {
  stopping.abort();
  await listening;
  expect(said.filter((line) => line.includes('answered 204'))).toHaveLength(heard.length);
  expect((await team.get('/v2/partner/webhook-subscriptions')).body.data).toEqual([]);
});

test('polling continues after an outage of the service, and each recorded event arrives once', async () => {
  const stopped = new AbortController();
  const lines: string[] = [];
  let asked = 0;
  const delivery = { id: 'd1', inserted_at: new Date().toISOString() };
  const event = { id: 'e1', type: 'contact.created', timestamp: delivery.inserted_at };
  const service = await startReceiver((response, { path = '' }) => {
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path === '/oauth2/token') answer(200, { access_token: 'token', expires_in: 3600 });
    else if (path.includes('include=event')) answer(200, { event });
    else if ((asked += 1) === 1) answer(503, { errors: [] });
    else answer(200, { data: [delivery], page: { next_cursor: null } });
    // It has been listed twice and arrives once.
    if (asked > 2) stopped.abort();
  });
  const heardOf = [];
  const client = connect({
    ...{ url: `http://127.0.0.1:${service.port}`, source: 'test' },
    ...{ clientId: 'id', clientSecret: 'secret' },
  });
  const say = (line: string) => lines.push(line);
  for await (const one of followDeliveries(client, 's1', stopped.signal, say)) heardOf.push(one);
  expect(heardOf).toEqual([event]);
  expect(lines).toEqual(['The service does not answer. Asking again every second.']);
});
