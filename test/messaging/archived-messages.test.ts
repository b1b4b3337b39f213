import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { settleSends } from '../../src/messaging/send-queue/settle.ts';
import { withoutContent } from '../../src/messaging/archived-messages/seal.ts';
import { aReader, aSendingTemplate, anEmail, enrolled } from '../journeys/a-send.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { useTestApi } from '../support/use-test-api.ts';
import {
  aPhoneReader,
  aSameText,
  archiveOf,
  archivePath,
  archiving,
  expired,
  sentTo,
  swept,
} from './an-archive.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

const api = useTestApi();
let lanes: SendingLanes;

beforeAll(async () => {
  lanes = await startSendingLanes(api);
});
afterAll(() => lanes.stop());

const aTeam = async (retention: object = {}) => archiving(await anUnboundedTeam(api), retention);

test('a message of a journey is archived as the provider got it, with the address sealed', async () => {
  const team = await aTeam();
  const email = 'ada.king@example.com';
  const contact_id = await aReader(team, { email });
  const template = await aSendingTemplate(team, [anEmail]);
  await enrolled(team, template, [contact_id]);
  await lanes.decide();
  await lanes.send();
  const { body: list } = await team.get(`${archivePath}?filter[contact_id]=${contact_id}`);
  expect(list.data).toHaveLength(1);
  const [line] = list.data;
  expect(line).toMatchObject({
    ...{ type: 'archived_message', contact_id, template_id: template.id, template_version: 1 },
    ...{ channel: 'email', provider: 'mailbox', sender: 'hello@bank.example' },
    ...{ consent_status: 'subscribed', content_status: 'stored' },
  });
  expect(JSON.stringify(list)).not.toContain(email);
  expect(line.content).toBeUndefined();
  expect(Date.parse(line.expires_at) - Date.parse(line.sent_at)).toBe(365 * 86_400_000);

  const { body: full } = await team.get(`${archivePath}/${String(line.id)}`);
  expect(full.addresses).toEqual([email]);
  expect(full.content).toMatchObject({ subject: 'Hello Ada', from_email: 'hello@bank.example' });
  expect(full.content.html).toContain('Dear Ada');
  expect(full.content.unsubscribe_url).toContain('/unsubscribe/');
  const stored = await api.db.look(
    (sql) => sql`
      select to_jsonb(m)::text as line, c.sealed_content from archived_messages m
      join archived_contents c on c.team_id = m.team_id and c.id = m.content_id
      where m.team_id = ${team.id}`,
  );
  expect(JSON.stringify(stored)).not.toMatch(/ada\.king|Dear Ada/);
});

test('a team without the setting archives nothing', async () => {
  const team = await anUnboundedTeam(api);
  await sentTo(team, lanes, aSameText, [await aPhoneReader(team)]);
  expect(await archiveOf(api, team)).toEqual({ lines: 0, contents: 0 });
});

test('equal contents are stored once, and deleted with the last message that uses them', async () => {
  const team = await aTeam();
  const contacts = [await aPhoneReader(team), await aPhoneReader(team)];
  const [first = '', second = ''] = await sentTo(team, lanes, aSameText, contacts);
  expect(await archiveOf(api, team)).toEqual({ lines: 2, contents: 1 });
  await expired(api, team, first);
  expect(await archiveOf(api, team)).toEqual({ lines: 1, contents: 1 });
  expect((await team.get(`${archivePath}/${first}`)).status).toBe(404);
  expect((await team.get(`${archivePath}/${second}`)).body.content).toEqual({
    body: aSameText.body,
  });
  await expired(api, team, second);
  expect(await archiveOf(api, team)).toEqual({ lines: 0, contents: 0 });
});

test('a message that is settled twice is archived once, and gets its content late', async () => {
  const team = await aTeam();
  const [id = ''] = await sentTo(team, lanes, aSameText, [await aPhoneReader(team)]);
  const [delivery] = await api.db.look(
    (sql) => sql<{ inserted_at: string; content_id: string }[]>`
      update archived_messages set content_id = null, sealed_addresses = null
      where team_id = ${team.id} and id = ${id}
      returning inserted_at`,
  );
  expect((await team.get(`${archivePath}/${id}`)).body).toMatchObject({
    content_status: 'unavailable',
  });
  const order = { days: 365, template_version: 1, consent_status: null };
  const settlement = {
    ...{ team_id: team.id, id, inserted_at: delivery?.inserted_at ?? '', status: 'sent' as const },
    ...{ skip_reason: null, provider: 'mailbox', provider_message_id: null, to_masked: null },
    ...{ code: null, at: new Date().toISOString() },
  };
  const [content] = await api.db.look(
    (sql) => sql<{ id: string; sealed_content: string }[]>`
      select id, sealed_content from archived_contents where team_id = ${team.id}`,
  );
  if (!content) throw new Error('The content is not stored.');
  const late = {
    ...withoutContent(team.id, order),
    ...{ content_id: content.id, sealed_content: content.sealed_content },
  };
  for (const archived of [withoutContent(team.id, order), late, withoutContent(team.id, order)]) {
    await api.db.database.transact((sql) =>
      settleSends(sql, [{ team_id: team.id, id, settlement, archived }]),
    );
  }
  expect(await archiveOf(api, team)).toEqual({ lines: 1, contents: 1 });
  expect((await team.get(`${archivePath}/${id}`)).body).toMatchObject({
    ...{ content_status: 'stored', content: { body: aSameText.body } },
  });
});

test('a new term holds for messages that are sent afterwards', async () => {
  const team = await aTeam();
  const contact = await aPhoneReader(team);
  const [before = ''] = await sentTo(team, lanes, aSameText, [contact]);
  const { body: was } = await team.get(`${archivePath}/${before}`);
  await archiving(team, { archived_messages_days: 1 });
  const [after = ''] = await sentTo(team, lanes, aSameText, [contact]);
  expect((await team.get(`${archivePath}/${before}`)).body.expires_at).toBe(was.expires_at);
  const { body: is } = await team.get(`${archivePath}/${after}`);
  expect(Date.parse(is.expires_at) - Date.parse(is.sent_at)).toBe(86_400_000);
});

test('an erasure leaves of archived messages the lines with ids', async () => {
  const team = await aTeam();
  const contacts = [await aPhoneReader(team), await aPhoneReader(team)];
  const [gone = '', other = ''] = await sentTo(team, lanes, aSameText, contacts);
  await team.post(`/v2/partner/contacts/${contacts[0] ?? ''}/erase`);
  await swept(api, team);
  const { body: erased } = await team.get(`${archivePath}/${gone}`);
  expect(erased).toMatchObject({ id: gone, contact_id: contacts[0], content_status: 'erased' });
  expect(['content', 'addresses', 'to_masked'].filter((name) => name in erased)).toEqual([]);
  expect((await team.get(`${archivePath}/${other}`)).body.content).toEqual({
    body: aSameText.body,
  });
});

test('a merger moves archived messages to the winner', async () => {
  const team = await aTeam();
  const [loser, winner] = [await aPhoneReader(team), await aPhoneReader(team)];
  const [id = ''] = await sentTo(team, lanes, aSameText, [loser]);
  const merged = await team.post(`/v2/partner/contacts/${winner}/merge`, {
    source_contact_id: loser,
  });
  expect(merged.status).toBe(200);
  expect((await team.get(`${archivePath}/${id}`)).body.contact_id).toBe(winner);
});

test('filters name messages of a period, channel, message and contact', async () => {
  const team = await aTeam();
  const contact = await aPhoneReader(team);
  const [id = ''] = await sentTo(team, lanes, aSameText, [contact]);
  const { body: line } = await team.get(`${archivePath}/${id}`);
  const count = async (query: string) =>
    (await team.get(`${archivePath}?${query}`)).body.data.length;
  const period = `filter[sent_at][gte]=${String(line.sent_at)}`;
  const found = [period, 'filter[channel]=sms', `filter[message_id]=${String(line.message_id)}`];
  const missed = [`filter[sent_at][gt]=${String(line.sent_at)}`, 'filter[channel]=email'];
  for (const query of found) expect([query, await count(query)]).toEqual([query, 1]);
  for (const query of missed) expect([query, await count(query)]).toEqual([query, 0]);
});
