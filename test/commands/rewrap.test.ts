import { randomUUID } from 'node:crypto';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi } from '../../src/app/start-api.ts';
import { newKeyFile, openKeyring, parseKeyFile } from '../../src/platform/auth/keyring.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { sealedColumns } from '../../src/commands/sealed-columns.ts';
import { sealMessage } from '../../src/messaging/archived-messages/seal.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { openCallSettings } from '../../src/webhooks/webhook-subscriptions/delivery-settings/queries.ts';
import { liveSigningKeys } from '../../src/webhooks/webhook-subscriptions/queries.ts';
import { keyOf } from '../../src/webhooks/webhook-subscriptions/secrets.ts';
import { aSendingTemplate } from '../journeys/a-send.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { aReceipt, aRequestable, anOrder } from '../messaging/a-requested-send.ts';
import { aTestRecipient } from '../messaging/a-test-recipient.ts';
import { noteAnswer } from '../reach/record.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { aScene, aVisitor } from '../widget/a-widget.ts';

const file = join(scratchDirectory(), 'keys.json');
let api: TestApi;

beforeAll(async () => {
  const keys = JSON.stringify(newKeyFile());
  writeFileSync(file, keys);
  api = await startTestApi({ ONWARD_KEYS: keys });
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['ONWARD_KEYS_FILE'] = file;
});
afterAll(() => api.stop());

/** A message in the archive, as a worker seals it. */
async function archiveOne({ id: teamId }: { id: string }): Promise<void> {
  const id = randomUUID();
  const content = { channel: 'sms', to: '+14155550199', body: 'Hi' } as const;
  const order = { days: 1, template_version: 1, consent_status: null };
  const { sealed_addresses, content_id, sealed_content } = sealMessage(
    api.keyring,
    { teamId, id, content },
    order,
  );
  await api.db.look(
    (sql) => sql`
      with line as (
        insert into archived_messages (team_id, id, contact_id, message_id, template_id,
          template_version, channel, provider, sealed_addresses, content_id, sent_at, expires_at,
          inserted_at)
        values (${teamId}, ${id}, ${id}, ${id}, ${id}, 1, 'sms', 'mailbox', ${sealed_addresses},
          ${content_id}, now(), now(), now())
      )
      insert into archived_contents (team_id, id, sealed_content)
      values (${teamId}, ${content_id}, ${sealed_content})`,
  );
}

const admin = async (...args: string[]) => {
  const lines: string[] = [];
  const program = createAdmin((line) => lines.push(line));
  await program.parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
};

test('after a rotation and a rewrap every sealed value opens without the old envelope key', async () => {
  const team = await api.newTeam();
  const contact = await team.post('/v2/partner/contacts', {
    email: 'ada@example.com',
    date_of_birth: '1990-12-10',
  });
  // The previous address is stored for an erasure.
  await team.patch(`/v2/partner/contacts/${String(contact.body.id)}`, { email: 'ada@example.org' });
  await team.post(`/v2/partner/contacts/${String(contact.body.id)}/devices`, {
    token: 'a-token',
    platform: 'ios',
  });
  const body = { target_url: 'http://127.0.0.1:9009/', event_types: ['contact.*'] };
  const key = { 'Idempotency-Key': 'rewrap' };
  const path = '/v2/partner/webhook-subscriptions';
  const subscription = await team.post(path, body, key);
  const sftp = await team.post('/v2/partner/sftp-credentials', {
    name: 'nightly',
    generate_key_pair: true,
  });
  expect([contact.status, subscription.status, sftp.status]).toEqual([201, 201, 201]);
  const source = await team.post('/v2/partner/file-sources', {
    name: 'Exports',
    source_kind: 'https',
    server_id: 's-1',
    purpose: 'contacts',
    host: 'files.example.com',
    bearer_token: 'abc',
  });
  expect(source.status).toBe(201);
  const domain = await team.post('/v2/partner/sending-domains', { domain: 'bank.test' });
  expect(domain.status).toBe(201);
  const provider = await team.post('/v2/partner/sending-providers', {
    ...{ name: 'Texts', channel: 'sms', kind: 'sms_a', url: 'https://sms.example.com' },
    ...{ account: 'AC01', senders: ['+14155550123'], secret: 'first' },
  });
  const rotated = await team.post(
    `/v2/partner/sending-providers/${String(provider.body.id)}/rotate-secret`,
    { secret: 'second' },
  );
  expect([provider.status, rotated.status]).toEqual([201, 200]);
  const settings = await team.patch(
    `/v2/partner/webhook-subscriptions/${String(subscription.body.id)}/delivery-settings`,
    { headers: { authorization: 'Bearer 1' }, asymmetric_signing: true },
  );
  expect(settings.status).toBe(200);
  const receivers = '/v2/partner/incoming-webhook-receivers';
  const receiver = await team.post(receivers, { receiver_kind: 'generic_hmac' });
  const sample = await team.post(`${receivers}/${String(receiver.body.id)}/test`);
  expect([receiver.status, sample.status]).toEqual([201, 200]);
  // No worker runs: what the erasure looks for stays until one does.
  const other = await team.post('/v2/partner/contacts', { email: 'grace@example.com' });
  const erasure = await team.post(`/v2/partner/contacts/${String(other.body.id)}/erase`);
  expect(erasure.status).toBe(202);

  const template = await team.post('/v2/partner/templates', { name: 'Welcome' });
  const messages = `/v2/partner/templates/${String(template.body.id)}/messages`;
  const text = { name: 'Text', channel: 'sms', purpose: 'servicing', body: 'Hi' };
  const message = await team.post(messages, text);
  await aTestRecipient(api, team, 'sms', '+14155550123');
  const tried = await team.post(`/v2/partner/messages/${String(message.body.id)}/test-sends`, {
    to: ['+14155550123'],
  });
  const { path: sends } = await aRequestable(team);
  const requested = await team.post(sends, { email: 'ada@example.net', data: anOrder() });
  expect([tried.status, requested.status]).toEqual([202, 202]);
  const welcome = await aSendingTemplate(team, [{ ...aReceipt, trigger: { kind: 'on_enroll' } }]);
  const enrolled = await team.post(`/v2/partner/templates/${welcome.id}/enrollments`, {
    contact_id: contact.body.id,
    data: anOrder(),
  });
  expect(enrolled.status).toBe(201);

  await archiveOne(team);

  const secure_personalization = { enabled: true, factors: ['otp_email'] };
  const scene = await aScene(api, {
    contact: { email: 'joan@example.com' },
    template: { secure_personalization },
  });
  const visitor = await aVisitor(api, scene);
  const asked = await visitor.call('POST', `${visitor.path}/identity-challenges`);
  expect(asked.status).toBe(201);

  await admin('keys', 'rotate', 'envelope');
  expect(await admin('keys', 'rewrap')).toEqual(
    sealedColumns.map(({ table, column }) => ({ table, column, sealed_anew: 1 })),
  );

  const stored = parseKeyFile(readFileSync(file, 'utf8'));
  expect(stored.envelope).toHaveLength(2);
  const keyring = openKeyring({ ...stored, envelope: stored.envelope.slice(0, 1) });
  const next = await startApi(api.config, keyring, createLog('silent', 'api'), {
    onAnswer: noteAnswer,
  });
  const headers = { Authorization: `Bearer ${team.token}`, 'Content-Type': 'application/json' };
  const read = await fetch(`${next.url}/v2/partner/contacts/${String(contact.body.id)}`, {
    headers,
  });
  expect(await read.json()).toMatchObject({ date_of_birth: '1990-12-10' });
  const repeated = await fetch(next.url + path, {
    method: 'POST',
    headers: { ...headers, ...key },
    body: JSON.stringify(body),
  });
  expect(await repeated.json()).toEqual(subscription.body);
  const named = { team_id: team.id, subscription_id: String(subscription.body.id) };
  const [keys] = await api.db.database.read((sql) => liveSigningKeys(sql, keyring, [named]));
  expect(keys?.map(({ key }) => key)).toEqual([keyOf(String(subscription.body.signing_secret))]);
  const [calls] = await api.db.database.read((sql) => openCallSettings(sql, keyring, [named]));
  expect(calls?.headers).toEqual({ authorization: 'Bearer 1' });
  expect(calls?.privateKey?.asymmetricKeyType).toBe('ed25519');
  const raw = await fetch(
    `${next.url}/v2/webhooks/inbound/${String(receiver.body.id)}/deliveries/` +
      `${String(sample.body.id)}?include=raw`,
    { headers },
  );
  expect(await raw.json()).toMatchObject({ raw: { encoding: 'utf8' } });
  await next.close();
});

test('every sealed column of the schema is sealed with the current key', async () => {
  const columns = await api.db.look(
    (sql) => sql<{ name: string }[]>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed\\_%'
        and not exists (
          select from pg_inherits where inhrelid = to_regclass(quote_ident(table_name))
        )`,
  );
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(known).toEqual(expect.arrayContaining(columns.map(({ name }) => name)));
});
