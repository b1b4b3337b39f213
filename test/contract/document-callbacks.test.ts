import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aReceiver, receiversPath } from '../inbound/a-receiver.ts';
import type { TestReceiver } from '../inbound/a-receiver.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { verdictOf } from './answers.ts';
import { expectTable, incomingWebhookReceiver, receiverKinds } from './document-tables.ts';

/** Receivers and what comes to them, with the fields of the interface document alone. */
const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

test.each(receiverKinds)(
  'createIncomingWebhookReceiver accepts the full resource of a %s',
  async (kind) => {
    const sent = {
      id: randomUUID(),
      type: 'incoming_webhook_receiver',
      team_id: randomUUID(),
      receiver_kind: kind,
      name: 'Ours',
      is_active: true,
      dedup_window_seconds: 3_600,
      signature_required: true,
      inserted_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
      last_received_at: '2001-01-01T00:00:00Z',
      last_signature_failure_at: '2001-01-01T00:00:00Z',
      consecutive_signature_failures: 7,
    };
    const made = await team.post(receiversPath, sent);
    expect(verdictOf(made)).toBe('201');
    expectTable(made.body, incomingWebhookReceiver);
    expect(made.body).toMatchObject({
      team_id: team.id,
      receiver_kind: kind,
      name: 'Ours',
      dedup_window_seconds: 3_600,
      consecutive_signature_failures: 0,
    });
    expect(made.body).not.toHaveProperty('last_received_at');
    expect(made.body).not.toHaveProperty('last_signature_failure_at');
  },
);

const ids = () => ({
  do_message_id: randomUUID(),
  do_contact_id: randomUUID(),
  do_journey_id: randomUUID(),
});

const emailA = (email_a_event_type: string) => ({
  kind: 'email_a',
  email_a_event_type,
  email_a_message_id: randomUUID(),
  source: 'bank@example.com',
  destination: ['ada@example.com'],
  timestamp: '2026-11-01T08:00:00Z',
  ...ids(),
  raw_topic_message_id: randomUUID(),
  bounce: {},
  complaint: {},
  open: {},
  click: {},
});

const emailC = (event: string, severity: string) => ({
  kind: 'email_c',
  event,
  recipient: 'ada@example.com',
  timestamp: 1_793_520_000,
  email_c_event_id: randomUUID(),
  message_id: randomUUID(),
  ...ids(),
  severity,
  reason: 'why',
  delivery_status: {},
  url: 'https://example.com/offer',
  client_info: {},
});

const fileTransferA = (event_type: string) => ({
  kind: 'file_transfer_a',
  event_type,
  server_id: 's-1',
  username: 'bank',
  path: '/bank/contacts.csv',
  size_bytes: 12,
  sha256: 'a'.repeat(64),
  upload_started_at: '2026-11-01T08:00:00Z',
  upload_completed_at: '2026-11-01T08:00:01Z',
  raw_topic_message_id: randomUUID(),
});

const emailAEvents = [
  ...['Send', 'Delivery', 'Bounce', 'Complaint', 'Open', 'Click'],
  ...['Reject', 'RenderingFailure', 'DeliveryDelay'],
];
const emailCEvents = [
  ...['delivered', 'opened', 'clicked', 'failed'],
  ...['unsubscribed', 'complained', 'accepted', 'rejected'],
];

/** A callback is accepted, and shown with every field of the document that it had. */
async function expectShown(receiver: TestReceiver, sent: Record<string, unknown>) {
  const accepted = await receiver.send(sent);
  expect(verdictOf(accepted)).toBe('200');
  const { data } = await receiver.deliveries('?include=payload&page[size]=1');
  expect(Object.keys(data[0].relationships.payload)).toEqual(
    expect.arrayContaining(Object.keys(sent)),
  );
}

describe('a receiver accepts the callbacks that the document lists', () => {
  test('receiveEmailA, each event', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_a' });
    for (const event of emailAEvents) await expectShown(receiver, emailA(event));
  });

  test('receiveEmailC, each event and each severity', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_c' });
    for (const event of emailCEvents) {
      for (const severity of ['permanent', 'temporary']) {
        await expectShown(receiver, emailC(event, severity));
      }
    }
  });

  test('receiveFileTransferA, each event', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'file_transfer_a' });
    for (const event of ['file_uploaded', 'file_upload_failed']) {
      await expectShown(receiver, fileTransferA(event));
    }
  });
});

describe('a receiver answers', () => {
  test('401 to a wrong signature, which it counts, 404 if it does not exist, 410 once disabled', async () => {
    const receiver = await aReceiver(api, team, { receiver_kind: 'email_c' });
    const sent = emailC('delivered', 'permanent');
    const forged = await receiver.send(sent, { secret: `whsec_${'A'.repeat(43)}=` });
    expect(forged.status).toBe(401);
    expect(Array.isArray(forged.body.errors)).toBe(true);
    const unknown = await api.call('POST', `/v2/webhooks/inbound/email_c/${randomUUID()}`, {
      body: sent,
    });
    expect(unknown.status).toBe(404);
    const path = `${receiversPath}/${receiver.id}`;
    // Refused calls are counted shortly after their answers.
    const read = await eventually(
      () => team.get(path),
      ({ body }) => body.consecutive_signature_failures === 1,
    );
    expectTable(read.body, incomingWebhookReceiver);
    expect(read.body).toHaveProperty('last_signature_failure_at');
    const off = await team.call('PATCH', path, { body: { ...read.body, is_active: false } });
    expect(verdictOf(off)).toBe('200');
    expect((await receiver.send(sent)).status).toBe(410);
  });
});

test('deliveries are listed, read, counted and replayed', async () => {
  const receiver = await aReceiver(api, team, { receiver_kind: 'email_c' });
  await receiver.send(emailC('delivered', 'temporary'));
  const path = `/v2/webhooks/inbound/${receiver.id}`;
  const listed = await team.get(`${path}/deliveries`);
  expect(verdictOf(listed)).toBe('200');
  expect(Object.keys(listed.body).sort()).toEqual(['data', 'page']);
  const { id } = listed.body.data[0];
  const one = await team.get(`${path}/deliveries/${String(id)}`);
  expect(verdictOf(one)).toBe('200');
  expect(one.body.id).toBe(id);
  expect(verdictOf(await team.get(`${path}/deliveries/counts`))).toBe('200');
  const replay = await team.post(`${path}/replay`, { delivery_ids: [id] });
  expect(replay.status).toBe(202);
});
