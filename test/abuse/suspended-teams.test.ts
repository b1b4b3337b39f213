import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { trackedUrls } from '../../src/messaging/tracking/token.ts';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { findActiveCredential } from '../../src/operations/sftp/access/queries.ts';
import { aReader, aSendingTemplate, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { startSendingLanes } from '../messaging/sending-lanes.ts';
import type { SendingLanes } from '../messaging/sending-lanes.ts';
import { newCredential } from '../operations/sftp/a-client.ts';
import { startTestApi } from '../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { aScene, aVisitor, bank, bootstrapByLink } from '../widget/a-widget.ts';

const why = ['--reason', 'invoice 7 is open'];
const keyFile = join(scratchDirectory(), 'keys.json');
let api: TestApi;
let lanes: SendingLanes;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  writeFileSync(keyFile, keys);
  api = await startTestApi({ ONWARD_KEYS: keys });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = keyFile;
  lanes = await startSendingLanes(api);
});
afterAll(async () => {
  await lanes.stop();
  await api.stop();
});

async function admin(...args: string[]) {
  const lines: string[] = [];
  const program = createAdmin((line) => lines.push(line));
  await program.parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
}

const codeOf = ({ status, body }: Reply) => `${String(status)} ${String(body?.errors?.[0]?.code)}`;

async function askForToken({ clientId, clientSecret }: TestTeam) {
  const fields = { client_id: clientId, client_secret: clientSecret };
  return api.call('POST', '/oauth2/token', {
    raw: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
}

/** A team with everything through which others reach it. */
async function aReachableTeam() {
  const scene = await aScene(api);
  const { team, journey } = scene;
  await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  const contact = await aReader(team);
  const template = await aSendingTemplate(team);
  await enrolled(team, template, [contact]);
  await lanes.decide();
  await lanes.send();
  const [{ id, inserted_at }] = await deliveriesOf(team, template.id);
  const send = { team_id: team.id, id: String(id), inserted_at: String(inserted_at) };
  const html = '<p>Card number and PIN, please.</p>';
  const block = { name: 'Login', key: `b-${randomUUID()}`, kind: 'rich_text', body: { html } };
  const { body: made } = await team.post('/v2/partner/content-blocks', block);
  const { body: page } = await team.post('/v2/partner/landing-pages', {
    ...{ name: 'Login', slug: `login-${randomUUID()}`, title: 'Log in' },
    content_block_ids: [made.id],
  });
  await team.post(`/v2/partner/landing-pages/${String(page.id)}/publish`);
  return {
    ...{ team, template, contact, journey, second: await aReader(team) },
    visitor: await aVisitor(api, scene),
    receiver: await aReceiver(api, team),
    credential: await newCredential(team),
    click: trackedUrls({ baseUrl: '' }, api.keyring, send).click('https://phish.example.net/'),
    page: `/p/${team.id}/${String(page.slug)}`,
    ...choiceUrls('', api.keyring, send),
  };
}

type ReachableTeam = Awaited<ReturnType<typeof aReachableTeam>>;

/** The answer of each way in. */
async function answersOf(reachable: ReachableTeam): Promise<Record<string, string>> {
  const { team, journey, visitor, receiver, credential, ...links } = reachable;
  const { username } = credential;
  const status = async (path: string) => String((await api.call('GET', path)).status);
  const headers = { Authorization: `Bearer ${visitor.token}`, Origin: bank };
  const found = await api.db.database.read((sql) => findActiveCredential(sql, username));
  return {
    api: codeOf(await team.get('/v2/partner/team')),
    token: codeOf(await askForToken(team)),
    callback: codeOf(await receiver.send({ event: 'x' })),
    session: codeOf(await visitor.call('GET', visitor.path)),
    widgetToken: codeOf(await api.call('GET', visitor.path, { headers })),
    journeyLink: codeOf(await bootstrapByLink(api, journey.linkToken)),
    sftp: found ? 'found' : 'unknown',
    click: await status(links.click),
    page: await status(links.page),
    preferences: await status(links.preferences_url),
    unsubscribe: await status(links.unsubscribe_url),
  };
}

const open = {
  ...{ api: '200 undefined', token: '200 undefined', session: '200 undefined' },
  ...{ widgetToken: '200 undefined', journeyLink: '201 undefined' },
  ...{ sftp: 'found', click: '302', page: '200', preferences: '200', unsubscribe: '200' },
};

test('a tenant that the operator has suspended reaches nobody, and nobody reaches it', async () => {
  const reachable = await aReachableTeam();
  const { team, template } = reachable;
  const other = await aReachableTeam();
  expect(await answersOf(reachable)).toMatchObject(open);

  const row = await admin('teams', 'suspend', team.id, ...why);
  expect(row).toMatchObject({ id: team.id, suspended_at: expect.any(String) });
  await untilTrue(async () => (await team.get('/v2/partner/team')).status === 403);
  expect(await answersOf(reachable)).toEqual({
    ...{ api: '403 team_suspended', token: '403 team_suspended', callback: '503 unavailable' },
    ...{ session: '403 team_suspended', widgetToken: '403 team_suspended' },
    ...{ journeyLink: '401 session_expired', sftp: 'unknown' },
    ...{ click: '410', page: '404', preferences: '404', unsubscribe: '200' },
  });
  expect((await askForToken(team)).body.error).toBe('unauthorized_client');
  expect(await answersOf(other)).toMatchObject(open);

  // Messages that are due wait, and none is lost.
  await enrolled(team, template, [reachable.second]);
  await lanes.decide();
  await lanes.send();
  const waiting = await api.db.look(
    (sql) => sql<{ status: string }[]>`
      select status from message_deliveries where team_id = ${team.id} order by inserted_at`,
  );
  expect(waiting.map(({ status }) => status)).toEqual(['sent', 'queued']);

  expect(await admin('teams', 'resume', team.id, ...why)).toMatchObject({ suspended_at: null });
  await untilTrue(async () => (await team.get('/v2/partner/team')).status === 200);
  expect(await answersOf(reachable)).toMatchObject(open);
  await api.db.look(
    (sql) => sql`
      update message_sends set next_attempt_at = now() where team_id = ${team.id}`,
  );
  await lanes.send();
  const sent = await deliveriesOf(team, template.id);
  expect(sent.map(({ status }) => status)).toEqual(['sent', 'sent']);
});

test('a recipient can leave a suspended team, and sees nothing that it has written', async () => {
  const { team, contact, unsubscribe_url } = await aReachableTeam();
  await team.patch('/v2/partner/team', { name: 'Your Bank: call 555-0100' });
  expect((await api.call('GET', unsubscribe_url)).body).toContain('555-0100');
  await admin('teams', 'suspend', team.id, ...why);
  await untilTrue(async () => (await team.get('/v2/partner/team')).status === 403);
  const question = await api.call('GET', unsubscribe_url);
  expect(question.body).toContain('<form method="post"');
  expect(question.body).not.toContain('555-0100');
  const done = await api.call('POST', unsubscribe_url);
  expect([done.status, done.body]).toEqual([200, expect.stringContaining('You are unsubscribed.')]);
  expect(done.body).not.toContain('555-0100');
  const [row] = await api.db.look(
    (sql) => sql<{ consents: any }[]>`
      select consents from contacts where team_id = ${team.id} and id = ${contact}`,
  );
  expect(row?.consents.email.status).toBe('unsubscribed');
});

test('the trail of the team shows who has suspended and resumed it, and why', async () => {
  const team = await api.newTeam();
  await admin('teams', 'suspend', team.id, ...why);
  const listed: any[] = await admin('teams', 'list');
  expect(listed.find(({ id }) => id === team.id)).toMatchObject({
    suspended_at: expect.any(String),
  });
  await admin('teams', 'resume', team.id, ...why);
  const trail: any[] = await admin('audit', 'list', '--team', team.id);
  expect(
    trail.map(({ action, changed_fields, reason }) => [action, changed_fields, reason]),
  ).toEqual([
    ['team.resumed', ['suspended_at'], 'invoice 7 is open'],
    ['team.suspended', ['suspended_at'], 'invoice 7 is open'],
  ]);
  await expect(admin('teams', 'suspend', randomUUID(), ...why)).rejects.toThrow('There is no team');
});
