import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { channels } from '../../src/campaigns/messages/message.ts';
import { ArchivedMessage } from '../../src/messaging/archived-messages/archived-message.ts';
import { writePart } from '../../src/operations/exports/writing/write.ts';
import { recordSendOutcomes } from '../../src/messaging/send-queue/record-outcomes.ts';
import { withoutContent } from '../../src/messaging/archived-messages/seal.ts';
import { aReader, aSendingTemplate, anEmail, enrolled } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { maintain } from '../support/maintenance.ts';
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

test('a message whose outcome is stored twice is archived once, and gets its content late', async () => {
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
  const outcome = {
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
      recordSendOutcomes(sql, [{ team_id: team.id, id, delivery: outcome, archived }]),
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

/** The lines of an export, made as a worker does it. */
async function exported(team: TestTeam, body: object) {
  const path = '/v2/partner/exports';
  const asked = await team.post(path, { kind: 'archived_messages', ...body });
  expect(asked.status).toBe(202);
  const id = String(asked.body.id);
  for (let status = 'running'; status === 'running';) {
    const row = await api.db.database.transact((sql) => writePart(sql, api.keyring, team.id, id));
    status = row?.status ?? 'failed';
  }
  const [file, { body: done }] = [
    await team.get(`${path}/${id}/file`),
    await team.get(`${path}/${id}`),
  ];
  expect(file.status).toBe(200);
  return { lines: String(file.body).trimEnd().split('\n'), done };
}

const digestOf = (line: string) => createHash('sha256').update(line).digest('hex');

test('an export has every message with its content, in a chain over all parts', async () => {
  const team = await aTeam();
  const [id = ''] = await sentTo(team, lanes, aSameText, [await aPhoneReader(team)]);
  // More than one part has; the contents of these were lost.
  await api.db.look(
    (sql) => sql`
      insert into archived_messages (team_id, id, contact_id, message_id, template_id,
        template_version, channel, provider, sent_at, expires_at, inserted_at)
      select team_id, gen_random_uuid(), contact_id, message_id, template_id, 1, 'email', 'smtp',
        sent_at, expires_at, inserted_at
      from archived_messages, generate_series(1, 505) where team_id = ${team.id}`,
  );
  const { lines, done } = await exported(team, {});
  const read = lines.map((line) => JSON.parse(line));
  const digests = ['0'.repeat(64), ...lines.map(digestOf)];
  expect(read.map(({ previous }) => previous)).toEqual(digests.slice(0, -1));
  expect(done).toMatchObject({ chain_sha256: digests.at(-1), row_count: 506, format: 'ndjson' });
  const { manifest } = read.pop();
  expect(manifest).toMatchObject({ team_id: team.id, export_id: done.id, message_count: 506 });
  expect(read.map(({ sequence }) => sequence)).toEqual(read.map((_, at) => at + 1));
  const { body: shown } = await team.get(`${archivePath}/${id}`);
  expect(read.find(({ message }) => message.id === id)?.message).toEqual(shown);

  const few = await exported(team, { filters: { 'filter[channel]': 'sms' } });
  expect(few.lines).toHaveLength(2);
  expect((await exported(await aTeam(), {})).lines).toHaveLength(1);
});

test('archived messages are exported as ndjson, with the scope to read them', async () => {
  const team = await aTeam();
  const body = { kind: 'archived_messages', format: 'csv' };
  const { status, body: refused } = await team.post('/v2/partner/exports', body);
  expect([status, refused.errors[0].meta.pointer]).toEqual([422, '/format']);
  const other = await team.withScopes('partner:exports:write', 'partner:exports:read');
  const denied = await other.post('/v2/partner/exports', { kind: 'archived_messages' });
  expect([denied.status, denied.body.errors[0].code]).toEqual([401, 'scope_missing']);
});

test('the maintenance drops past months of the archive once they are empty', async () => {
  const team = await aTeam();
  const [id = ''] = await sentTo(team, lanes, aSameText, [await aPhoneReader(team)]);
  const months = () =>
    api.db.look(
      (sql) => sql<{ name: string }[]>`
        select inhrelid::regclass::text as name from pg_inherits
        where inhparent = 'archived_messages'::regclass order by name`,
    );
  await maintain(api.db.database, 'archived-messages');
  const recent = await months();
  await api.db.look((sql) => sql`select ensure_month_partitions(6)`);
  await api.db.look(
    (sql) => sql`
      update archived_messages set inserted_at = inserted_at - interval '5 months'
      where team_id = ${team.id} and id = ${id}`,
  );
  await maintain(api.db.database, 'archived-messages');
  // The months of the last quarter stay, and the one with a message.
  const kept = (await months()).length - recent.length;
  expect(kept).toBeGreaterThan(1);
  await expired(api, team, id);
  expect((await months()).length).toBe(recent.length + kept - 1);
});

test('the list has messages of every provider, channel and state of consent', async () => {
  const team = await api.newTeam();
  const { properties } = ArchivedMessage;
  const ofAll = [
    ...properties.provider.enum.map((provider) => ({ provider })),
    ...channels.map((channel) => ({ channel })),
    ...(['never', 'pending', 'unsubscribed', 'subscribed'] as const).map((consent_status) => ({
      consent_status,
    })),
  ];
  const at = new Date().toISOString();
  const rows = ofAll.map((about) => ({
    ...{ team_id: team.id, id: randomUUID(), contact_id: randomUUID(), message_id: randomUUID() },
    ...{ template_id: randomUUID(), template_version: 1, channel: 'email', provider: 'smtp' },
    ...{ consent_status: 'subscribed', sent_at: at, inserted_at: at, expires_at: at, ...about },
  }));
  await api.db.look((sql) => sql`insert into archived_messages ${sql(rows)}`);
  const { status, body } = await team.get(`${archivePath}?page[size]=100`);
  expect([status, body.data.length]).toEqual([200, rows.length]);
});
