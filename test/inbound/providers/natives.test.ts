import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { createSampleKeys } from '../sample-keys.ts';
import { receivers } from '../../../src/inbound/receivers.ts';
import { receiverKinds } from '../../../src/inbound/receiver.ts';
import type { NativeItem, ReceiverKind } from '../../../src/inbound/receiver.ts';
import { busTools } from '../a-bus.ts';
import { callbackOf, nowMs, receiveUrl } from '../a-callback.ts';
import { leaf, toolsWith, topicArn, topicSigning } from '../a-topic.ts';

const ids = { do_message_id: 'm', do_contact_id: 'c', do_journey_id: 'j' };

/** The items that a kind reads from a native body, checked against the published schema. */
function read(
  kind: ReceiverKind,
  body: unknown,
  { url = receiveUrl, settings = {} }: { url?: string; settings?: object } = {},
): any[] {
  const isForm = body instanceof URLSearchParams;
  const headers: Record<string, string> = isForm
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : {};
  const text = isForm ? body.toString() : JSON.stringify(body);
  const definition = receivers[kind];
  const callback = callbackOf({ headers, body: text }, { url });
  expect(definition.isNative(callback)).toBe(true);
  const schema = Compile(definition.payload);
  return definition.read(callback, { ...settings }).map((item: NativeItem) => {
    if (!('payload' in item)) return item;
    expect([...schema.Errors(item.payload)]).toEqual([]);
    return {
      ...item.payload,
      projection: definition.project(item.payload),
      key: definition.dedupKey(item.payload),
    };
  });
}
const project = (kind: ReceiverKind, payload: object) =>
  receivers[kind].project({ kind, ...payload });

describe('email_a', () => {
  const mail = {
    timestamp: '2026-03-01T11:59:00.000Z',
    messageId: '0100018',
    source: 'Bank <hello@example.com>',
    destination: ['ada@example.com'],
    headers: [
      { name: 'X-DO-Contact-Id', value: 'by-header' },
      { name: 'X-Do-Journey-Id', value: 'j' },
    ],
    tags: { do_message_id: ['m'], do_contact_id: ['c'] },
  };
  const notify = (message: unknown, type = 'Notification') => ({
    Type: type,
    MessageId: 'sns-1',
    TopicArn: topicArn,
    Message: typeof message === 'string' ? message : JSON.stringify(message),
    Timestamp: '2026-03-01T12:00:00.000Z',
  });

  test('reads a bounce with its cause, and prefers tags to headers', () => {
    const bounce = {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      feedbackId: 'f',
      timestamp: '2026-03-01T11:59:30.000Z',
      reportingMTA: 'dsn; a.example',
      remoteMtaIp: '192.0.2.1',
      bouncedRecipients: [
        {
          emailAddress: 'ada@example.com',
          status: '5.1.1',
          action: 'failed',
          diagnosticCode: 'smtp; 550',
        },
      ],
    };
    expect(read('email_a', notify({ notificationType: 'Bounce', mail, bounce }))).toEqual([
      {
        kind: 'email_a',
        email_a_event_type: 'Bounce',
        email_a_message_id: '0100018',
        source: 'Bank <hello@example.com>',
        destination: ['ada@example.com'],
        timestamp: '2026-03-01T11:59:30.000Z',
        raw_topic_message_id: 'sns-1',
        ...ids,
        bounce: {
          bounce_type: 'Permanent',
          bounce_sub_type: 'General',
          feedback_id: 'f',
          timestamp: '2026-03-01T11:59:30.000Z',
          reporting_mta: 'dsn; a.example',
          remote_mta_ip: '192.0.2.1',
          recipients: [
            {
              email_address: 'ada@example.com',
              status: '5.1.1',
              action: 'failed',
              diagnostic_code: 'smtp; 550',
            },
          ],
        },
        key: 'sns-1',
        projection: {
          kind: 'message.bounced',
          channel: 'email',
          occurredAt: '2026-03-01T11:59:30.000Z',
          isMachine: false,
          recipient: 'ada@example.com',
          recipients: [{ address: 'ada@example.com', suppression: 'hard_bounce' }],
          bounce: { class: 'hard', code: '5.1.1', diagnostic: 'smtp; 550' },
        },
      },
    ]);
  });

  test.each([
    ['Permanent', 'hard'],
    ['Transient', 'soft'],
    ['Undetermined', 'soft'],
    [undefined, 'soft'],
  ])('classifies a %s bounce as %s', (bounceType, expected) => {
    const [item] = read('email_a', notify({ eventType: 'Bounce', mail, bounce: { bounceType } }));
    expect(item.projection.bounce.class).toBe(expected);
  });

  test('reads the event whose name has a space, and uses the mail’s time if it has none', () => {
    const [item] = read(
      'email_a',
      notify({
        eventType: 'Rendering Failure',
        mail,
        failure: { errorMessage: 'x', templateName: 't' },
      }),
    );
    expect(item).toMatchObject({
      email_a_event_type: 'RenderingFailure',
      timestamp: mail.timestamp,
      failure: { error_message: 'x', template_name: 't' },
    });
  });

  test.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', false],
    ['Mozilla/5.0', true],
    ['Barracuda Sentinel (EE)', true],
    ['SomeBot/1.0', true],
    [undefined, false],
  ])('detects whether %s is a machine', (userAgent, isMachine) => {
    const [item] = read(
      'email_a',
      notify({ eventType: 'Open', mail, open: { userAgent, ipAddress: '192.0.2.7' } }),
    );
    expect(item.projection).toMatchObject({ isMachine, ip: '192.0.2.7' });
  });

  test('has no mapping for an event type other than the nine of the interface', () => {
    expect(read('email_a', notify({ eventType: 'Subscription', mail }))).toEqual([
      { unrecognized: 'The type of the event has no mapping.' },
    ]);
  });

  test('returns a confirmation request, and marks other administrative messages as ignored', () => {
    const subscribeUrl = 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=1';
    const ask = (SubscribeURL: string) =>
      read('email_a', { ...notify('x', 'SubscriptionConfirmation'), SubscribeURL, Token: '1' });
    expect(ask(subscribeUrl)).toEqual([
      { confirmation: { topicArn, subscribeUrl, messageId: 'sns-1' } },
    ]);
    expect(ask('https://evil.example/?Action=ConfirmSubscription')).toMatchObject([
      { unrecognized: expect.any(String) },
    ]);
    expect(read('email_a', notify('x', 'UnsubscribeConfirmation'))).toMatchObject([
      { ignored: expect.any(String) },
    ]);
    expect(
      read('email_a', notify('Successfully validated SNS topic for Amazon SES event publishing.')),
    ).toMatchObject([{ ignored: expect.any(String) }]);
    for (const odd of [
      'hello',
      '{}',
      '[]',
      'null',
      { eventType: 'Send' },
      { eventType: 'Other', mail },
      '{"a":'.repeat(40),
    ]) {
      expect(read('email_a', notify(odd))).toMatchObject([{ unrecognized: expect.any(String) }]);
    }
  });

  test('accepts a payload that a rule of the provider has already normalized', () => {
    const payload = {
      kind: 'email_a',
      email_a_event_type: 'Send',
      email_a_message_id: '1',
      source: 'a@example.com',
      destination: [],
      timestamp: '2026-03-01T12:00:00Z',
      raw_topic_message_id: 'made up',
    };
    expect(read('email_a', notify(payload))[0]).toMatchObject({
      ...payload,
      raw_topic_message_id: 'sns-1',
    });
  });
});

describe('file_transfer_a', () => {
  const event = (detailType: string, detail = {}) => ({
    Type: 'Notification',
    MessageId: 'sns-2',
    TopicArn: topicArn,
    Timestamp: '2026-03-01T12:00:00.000Z',
    Message: JSON.stringify({
      source: 'aws.transfer',
      'detail-type': detailType,
      detail: {
        'server-id': 's-1',
        username: 'bank',
        'file-path': '/inbox/a.csv',
        bytes: 12,
        'start-timestamp': '2026-03-01T11:58:00Z',
        'end-timestamp': '2026-03-01T11:59:00Z',
        ...detail,
      },
    }),
  });

  test.each([
    ['SFTP Server File Upload Completed', 'file_uploaded'],
    ['FTPS Server File Upload Completed', 'file_uploaded'],
    ['FTP Server File Upload Failed', 'file_upload_failed'],
  ])('reads %s', (detailType, expected) => {
    expect(read('file_transfer_a', event(detailType))).toEqual([
      {
        kind: 'file_transfer_a',
        event_type: expected,
        server_id: 's-1',
        username: 'bank',
        path: '/inbox/a.csv',
        size_bytes: 12,
        upload_started_at: '2026-03-01T11:58:00Z',
        upload_completed_at: '2026-03-01T11:59:00Z',
        raw_topic_message_id: 'sns-2',
        key: 'sns-2',
        projection: undefined,
      },
    ]);
  });

  test('ignores other events of the server', () => {
    expect(read('file_transfer_a', event('SFTP Server File Download Completed'))).toMatchObject([
      { ignored: expect.any(String) },
    ]);
  });
});

describe('email_b', () => {
  const event = (changes: object) => ({
    email: 'ada@example.com',
    timestamp: 1_772_366_400,
    sg_event_id: 'e',
    sg_message_id: 'm1',
    ...changes,
  });

  test('reads each element of the list separately', () => {
    const items = read('email_b', [
      event({ event: 'delivered', response: '250 OK', 'smtp-id': '<s>', category: 'one', ...ids }),
      event({
        event: 'bounce',
        type: 'blocked',
        status: '4.7.1',
        reason: 'busy',
        category: ['a', 'b'],
      }),
      event({
        event: 'bounce',
        type: 'bounce',
        status: '5.1.1',
        bounce_classification: 'Invalid Address',
      }),
      event({ event: 'bounce', type: 'expired' }),
      event({ event: 'deferred', attempt: '5' }),
      event({ event: 'group_unsubscribe', asm_group_id: 7 }),
      event({
        event: 'open',
        sg_machine_open: true,
        useragent: 'Mozilla/5.0 (X)',
        ip: '192.0.2.7',
      }),
      event({ event: 'surprise' }),
      'no object',
      null,
    ]);
    expect(items).toMatchObject([
      {
        event: 'delivered',
        recipient: 'ada@example.com',
        timestamp: 1_772_366_400,
        smtp_id: '<s>',
        categories: ['one'],
        ...ids,
        key: 'e',
      },
      {
        event: 'blocked',
        bounce_type: 'blocked',
        categories: ['a', 'b'],
        projection: { bounce: { class: 'soft', code: '4.7.1', diagnostic: 'busy' } },
      },
      {
        event: 'bounce',
        bounce_type: 'bounce',
        projection: { bounce: { class: 'hard', code: '5.1.1' } },
      },
      { event: 'bounce', bounce_type: 'expired', projection: { bounce: { class: 'soft' } } },
      {
        event: 'deferred',
        attempt: 5,
        projection: { kind: 'message.delayed', occurredAt: '2026-03-01T12:00:00.000Z' },
      },
      { event: 'group_unsubscribe', unsubscribe_group_id: 7 },
      { event: 'open', is_machine_open: true, projection: { isMachine: true, ip: '192.0.2.7' } },
      { unrecognized: expect.any(String) },
      { unrecognized: expect.any(String) },
      { unrecognized: expect.any(String) },
    ]);
  });

  test('accepts an empty list', () => {
    expect(read('email_b', [])).toEqual([]);
  });
});

describe('email_c', () => {
  const event = (data: object) => ({
    signature: { timestamp: '1', token: 't', signature: 's' },
    'event-data': {
      id: 'ev',
      timestamp: 1_772_366_400.123_456,
      recipient: 'ada@example.com',
      message: { headers: { 'message-id': 'mid@example.com' } },
      'user-variables': ids,
      ...data,
    },
  });

  test('reads a permanent and a temporary failure', () => {
    const status = {
      code: 550,
      message: 'no',
      description: '',
      'enhanced-code': '5.1.1',
      'attempt-no': 1,
      'bounce-type': 'hard',
    };
    const [hard] = read(
      'email_c',
      event({
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        'delivery-status': status,
      }),
    );
    expect(hard).toMatchObject({
      event: 'failed',
      timestamp: 1_772_366_400,
      message_id: 'mid@example.com',
      email_c_event_id: 'ev',
      delivery_status: { code: 550, enhanced_code: '5.1.1', attempt_no: 1, bounce_type: 'hard' },
      ...ids,
      key: 'ev:2026-03-01',
      projection: {
        kind: 'message.bounced',
        bounce: { class: 'hard', code: '5.1.1', diagnostic: 'no' },
      },
    });
    const [soft] = read('email_c', event({ event: 'failed', severity: 'temporary' }));
    expect(soft.projection).toMatchObject({ kind: 'message.delayed' });
    expect(soft.projection.bounce).toBeUndefined();
  });

  test('detects a machine by the provider’s flag', () => {
    const [item] = read(
      'email_c',
      event({ event: 'opened', 'client-info': { bot: 'apple', 'user-agent': 'Mozilla/5.0 (X)' } }),
    );
    expect(item.projection.isMachine).toBe(true);
  });

  test('reads the older form posts in the same format', () => {
    const proof = { timestamp: '1772366400', token: 't'.repeat(50), signature: 's' };
    const form = (fields: Record<string, string>) =>
      new URLSearchParams({
        ...proof,
        recipient: 'ada@example.com',
        'Message-Id': '<mid@example.com>',
        do_message_id: 'm',
        do_contact_id: 'c',
        do_journey_id: 'j',
        ...fields,
      });
    const dropped = { event: 'dropped', reason: 'hardfail', code: '605', description: 'Not sent' };
    expect(read('email_c', form(dropped))).toMatchObject([
      {
        event: 'failed',
        severity: 'permanent',
        reason: 'hardfail',
        message_id: 'mid@example.com',
        email_c_event_id: proof.token,
        ...ids,
        key: `${proof.token}:2026-03-01`,
        projection: {
          kind: 'message.bounced',
          occurredAt: '2026-03-01T12:00:00.000Z',
          bounce: { class: 'hard', code: '605', diagnostic: 'Not sent' },
        },
      },
    ]);
    const clicked = { event: 'clicked', url: 'https://example.com/', 'user-agent': 'Mozilla/5.0' };
    expect(read('email_c', form(clicked))).toMatchObject([
      { event: 'clicked', projection: { kind: 'message.clicked', url: 'https://example.com/' } },
    ]);
    expect(read('email_c', form({ event: 'stored' }))).toMatchObject([
      { ignored: expect.any(String) },
    ]);
    expect(read('email_c', form({}))).toMatchObject([{ unrecognized: expect.any(String) }]);
  });

  test('ignores events without a message', () => {
    expect(read('email_c', event({ event: 'stored' }))).toMatchObject([
      { ignored: expect.any(String) },
    ]);
  });

  test('distinguishes an id that repeats on another day from a duplicate', () => {
    const keyOn = (timestamp: number) =>
      receivers.email_c.dedupKey({ email_c_event_id: 'ev', timestamp });
    expect(keyOn(1_772_366_400)).toBe('ev:2026-03-01');
    expect(keyOn(1_772_366_400 + 86_400)).toBe('ev:2026-03-02');
    expect(keyOn(1_772_366_400_000)).toBe('ev:2026-03-01');
  });
});

describe('sms_a', () => {
  const sid = `SM${'1'.repeat(32)}`;
  const form = (params: Record<string, string>) =>
    new URLSearchParams({
      MessageSid: sid,
      AccountSid: 'AC1',
      From: '+14155550100',
      To: '+14155550199',
      ...params,
    });

  test('reads a status, with the ids from the signed address', () => {
    const url = `${receiveUrl}?${new URLSearchParams(ids).toString()}`;
    const [item] = read(
      'sms_a',
      form({
        MessageStatus: 'undelivered',
        ErrorCode: '30003',
        RawDlrDoneDate: '2603011158',
        MessagingServiceSid: 'MG1',
      }),
      { url },
    );
    expect(item).toEqual({
      kind: 'sms_a',
      event: 'undelivered',
      sms_a_message_id: sid,
      sms_a_account_id: 'AC1',
      messaging_service_id: 'MG1',
      from: '+14155550100',
      to: '+14155550199',
      error_code: '30003',
      carrier_done_at: '2026-03-01T11:58:00.000Z',
      timestamp: new Date(nowMs).toISOString(),
      ...ids,
      key: `${sid}:undelivered`,
      projection: {
        kind: 'message.bounced',
        channel: 'sms',
        occurredAt: new Date(nowMs).toISOString(),
        isMachine: false,
        recipient: '+14155550199',
        bounce: { class: 'soft', code: '30003' },
      },
    });
  });

  test.each([
    ['STOP', 'message.unsubscribed', 'unsubscribed'],
    [' stop. ', 'message.unsubscribed', 'unsubscribed'],
    ['StopAll', 'message.unsubscribed', 'unsubscribed'],
    ['UNSUBSCRIBE', 'message.unsubscribed', 'unsubscribed'],
    ['cancel', 'message.unsubscribed', 'unsubscribed'],
    ['END', 'message.unsubscribed', 'unsubscribed'],
    ['quit!', 'message.unsubscribed', 'unsubscribed'],
    ['START', 'contact.replied', 'subscribed'],
    ['unstop', 'contact.replied', 'subscribed'],
    ['please stop', 'message.unsubscribed', 'unsubscribed'],
    ['please don’t stop', 'contact.replied', undefined],
    ['HELP', 'contact.replied', undefined],
    ['', 'contact.replied', undefined],
  ])('and sms_b read the reply %j as %s', (words, kind, smsConsent) => {
    const [a] = read('sms_a', form({ SmsStatus: 'received', Body: words }));
    const [b] = read('sms_b', {
      data: {
        record_type: 'event',
        id: 'e',
        event_type: 'message.received',
        occurred_at: '2026-03-01T12:00:00Z',
        payload: {
          id: 'm',
          text: words,
          from: { phone_number: '+14155550100' },
          to: [{ phone_number: '+14155550199' }],
        },
      },
    });
    for (const { projection } of [a, b]) {
      expect(projection).toMatchObject({ kind, recipient: '+14155550100' });
      expect(projection.smsConsent).toBe(smsConsent);
    }
  });

  test('recognizes an opt-out that the provider reports', () => {
    const [item] = read(
      'sms_a',
      form({ SmsStatus: 'received', Body: 'arrêt', OptOutType: 'STOP' }),
    );
    expect(item).toMatchObject({ opt_out: true, projection: { smsConsent: 'unsubscribed' } });
  });

  test('truncates a long text and stores no text that the service sent', () => {
    expect(
      read('sms_a', form({ SmsStatus: 'received', Body: 'x'.repeat(5_000) }))[0].text,
    ).toHaveLength(1_600);
    expect(read('sms_a', form({ MessageStatus: 'sent', Body: 'secret' }))[0].text).toBeUndefined();
  });

  test('reports unknown statuses and ignores intermediate ones', () => {
    expect(read('sms_a', form({ MessageStatus: 'teleported' }))).toMatchObject([
      { unrecognized: expect.any(String) },
    ]);
    expect(read('sms_a', form({ SmsStatus: 'receiving' }))).toMatchObject([
      { ignored: expect.any(String) },
    ]);
  });
});

describe('sms_b', () => {
  const event = (type: string, to: object, more = {}) => ({
    data: {
      record_type: 'event',
      id: 'evt',
      event_type: type,
      occurred_at: '2026-03-01T12:00:00.000+00:00',
      payload: {
        id: 'msg',
        from: { phone_number: '+14155550199' },
        to: [to],
        parts: 2,
        tags: ['x', 'do_message_id:m', 'do_contact_id:c', 'do_journey_id:j'],
        ...more,
      },
    },
    meta: { attempt: 3 },
  });

  test('reads a final status, its cause and the ids among the tags', () => {
    const errors = [{ code: '40001', title: 'Not routable', detail: 'landline' }];
    expect(
      read(
        'sms_b',
        event(
          'message.finalized',
          { phone_number: '+14155550100', status: 'delivery_failed', carrier: 'X' },
          { errors },
        ),
      ),
    ).toMatchObject([
      {
        event_type: 'message_finalized',
        status: 'delivery_failed',
        sms_b_event_id: 'evt',
        sms_b_message_id: 'msg',
        carrier: 'X',
        parts: 2,
        attempt: 3,
        error_code: '40001',
        error_detail: 'landline',
        ...ids,
        key: 'evt',
        projection: {
          kind: 'message.bounced',
          bounce: { class: 'hard', code: '40001', diagnostic: 'landline' },
        },
      },
    ]);
  });

  test('reads the statuses and replies of its other profile', () => {
    const status = {
      channel: 'sms',
      message_uuid: 'msg',
      to: '14155550100',
      from: 'Bank',
      timestamp: '2026-03-01T12:00:00Z',
      sms: { count_total: '2' },
      client_ref: 'do_message_id:m do_contact_id:c,do_journey_id:j',
    };
    const error = { type: 'https://example.com/#1010', title: '1010', detail: 'No such number' };
    const settings = { profile: 'vonage_jwt' };
    expect(
      read('sms_b', { ...status, status: 'undeliverable', error }, { settings }),
    ).toMatchObject([
      {
        event_type: 'message_finalized',
        status: 'delivery_failed',
        to: '+14155550100',
        from: 'Bank',
        parts: 2,
        ...ids,
        key: 'msg:delivery_failed',
        projection: {
          kind: 'message.bounced',
          recipient: '+14155550100',
          bounce: { class: 'soft', code: '1010', diagnostic: 'No such number' },
        },
      },
    ]);
    const reply = {
      channel: 'sms',
      message_uuid: 'msg',
      to: '14155550199',
      from: '14155550100',
      timestamp: '2026-03-01T12:00:00Z',
      message_type: 'text',
      text: 'Stop',
    };
    expect(read('sms_b', reply, { settings })).toMatchObject([
      {
        event_type: 'message_received',
        opt_out: true,
        key: 'msg:received',
        projection: { kind: 'message.unsubscribed', recipient: '+14155550100' },
      },
    ]);
    expect(read('sms_b', { ...status, status: 'read' }, { settings })).toMatchObject([
      { ignored: expect.any(String) },
    ]);
    expect(read('sms_b', { ...status, status: 'lost' }, { settings })).toMatchObject([
      { unrecognized: expect.any(String) },
    ]);
    expect(read('sms_b', { ...reply, channel: 'whatsapp' }, { settings })).toMatchObject([
      { ignored: expect.any(String) },
    ]);
  });

  test('ignores events of other products', () => {
    expect(read('sms_b', event('call.initiated', {}))).toMatchObject([
      { ignored: expect.any(String) },
    ]);
  });
});

describe('push_a', () => {
  const envelope = (data: unknown, more = {}) => ({
    message: {
      data: Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)).toString('base64'),
      messageId: 'bus-1',
      publishTime: '2026-03-01T11:59:00Z',
      ...more,
    },
    subscription: 'projects/p/subscriptions/s',
    deliveryAttempt: 2,
  });

  test('reads an event and never stores a token', () => {
    const data = {
      event: 'MISSING_REGISTRATIONS',
      message_id: 'p1',
      instance_id: 'device-token',
      sdk_platform: 'IOS',
    };
    const [item] = read('push_a', envelope(data, { attributes: ids }));
    const device_token_hash = createHash('sha256').update('device-token').digest('hex');
    expect(item).toEqual({
      kind: 'push_a',
      event: 'token_invalid',
      push_a_message_id: 'p1',
      timestamp: '2026-03-01T11:59:00Z',
      raw_bus_message_id: 'bus-1',
      bus_subscription: 'projects/p/subscriptions/s',
      bus_publish_time: '2026-03-01T11:59:00Z',
      delivery_attempt: 2,
      device_token_hash,
      platform: 'ios',
      ...ids,
      key: 'bus-1',
      projection: {
        kind: 'device.invalidated',
        channel: 'push',
        occurredAt: '2026-03-01T11:59:00Z',
        isMachine: false,
        deviceTokenHash: device_token_hash,
      },
    });
    expect(JSON.stringify(item)).not.toContain('device-token');
  });

  test('accepts a normalized payload of the publisher, with the id of the bus', () => {
    const payload = {
      kind: 'push_a',
      event: 'opened',
      push_a_message_id: 'p',
      timestamp: '2026-03-01T12:00:00Z',
      raw_bus_message_id: 'made up',
    };
    expect(read('push_a', envelope(payload))[0]).toMatchObject({
      event: 'opened',
      raw_bus_message_id: 'bus-1',
    });
  });

  test.each(['', 'no json', '[]', '{}', { event: 'other' }])(
    'reports %j as unrecognized',
    (data) => {
      expect(read('push_a', envelope(data))).toMatchObject([{ unrecognized: expect.any(String) }]);
    },
  );
});

describe('push_b', () => {
  const event = (kind: string, data = {}) => ({
    event: {
      kind,
      id: 'e1',
      timestamp: 1_772_366_400,
      subscription_id: 'sub',
      external_id: 'u1',
      data,
    },
    message: { id: 'm1', data: ids },
  });

  test('reads a click, with the partner’s key of the contact', () => {
    expect(
      read('push_b', event('message.push.clicked', { url: 'https://example.com/' })),
    ).toMatchObject([
      {
        event: 'clicked',
        push_b_event_id: 'e1',
        push_b_message_id: 'm1',
        timestamp: 1_772_366_400,
        ...ids,
        key: 'e1',
        projection: { kind: 'message.clicked', contactUniqueId: 'u1', url: 'https://example.com/' },
      },
    ]);
  });

  test.each([
    ['Unregistered', 'token_invalid'],
    ['NotRegistered', 'token_invalid'],
    ['invalid push token', 'token_invalid'],
    ['Payload too large', 'failed'],
  ])('reads a failure because of %s as %s', (failure_reason, expected) => {
    expect(read('push_b', event('message.push.failed', { failure_reason }))[0].event).toBe(
      expected,
    );
  });

  test.each(['message.email.opened', 'message.sms.sent', 'message.iam.clicked'])(
    'ignores %s',
    (kind) => {
      expect(read('push_b', event(kind))).toMatchObject([{ ignored: expect.any(String) }]);
    },
  );
});

describe('generic_hmac', () => {
  test('reads a completed objective if the event names one', () => {
    const payload = { event_type: 'deposit', event_id: 'e', occurred_at: '2026-03-01T12:00:00Z' };
    expect(project('generic_hmac', payload)).toBeUndefined();
    expect(
      project('generic_hmac', {
        ...payload,
        objective_key: 'deposit',
        value_cents: 5,
        contact_unique_id: 'u',
      }),
    ).toEqual({
      kind: 'custom',
      channel: 'system',
      occurredAt: '2026-03-01T12:00:00Z',
      isMachine: false,
      contactUniqueId: 'u',
      objective: { key: 'deposit', valueCents: 5 },
    });
  });
});

/** The JSON with another value at the place of that number. */
function withValue(text: string, at: number, value: unknown): string {
  let places = 0;
  JSON.parse(text, () => (places += 1));
  let place = 0;
  return JSON.stringify(JSON.parse(text), (_, old: unknown) => {
    place += 1;
    return place === (at % places) + 1 ? value : old;
  });
}

describe.each(receiverKinds)('hostile input to %s', (kind) => {
  const definition = receivers[kind];
  const schema = Compile(definition.payload);
  const signing = { ...createSampleKeys(kind).signing, ...(kind.endsWith('_a') && topicSigning) };
  const tools = { ...toolsWith(leaf()), fetchKeySet: busTools.fetchKeySet };
  const keys = {
    ...createSampleKeys(kind).verification,
    topic_arns: [topicArn],
    relay_secrets: ['whsec_x'],
    receiver_tokens: ['dors_x'],
    service_account_email: 'a@b',
  };

  async function endure(callback: ReturnType<typeof callbackOf>, isSigned = false) {
    definition.isNative(callback);
    const { status } = await definition.verify(callback, keys, tools);
    if (!isSigned) expect(status).not.toBe('valid');
    for (const item of definition.read(callback, keys)) {
      if (!('payload' in item) || !schema.Check(item.payload)) continue;
      definition.project(item.payload);
      definition.dedupKey(item.payload);
      definition.eventType(item.payload);
      definition.providerEventId(item.payload);
      definition.providerMessageId(item.payload);
    }
  }

  test('of any JSON causes no exception', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 4 }),
        fc.dictionary(
          fc.constantFrom(...definition.authenticationHeaders, 'authorization'),
          fc.string(),
        ),
        async (body, headers) => {
          await endure(callbackOf({ headers, body }));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of any bytes and forms causes no exception', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 100 }),
        fc.constantFrom('text/plain', 'application/x-www-form-urlencoded'),
        async (bytes, type) => {
          await endure(
            callbackOf(
              { headers: { 'content-type': type }, body: '' },
              { bytes: Buffer.from(bytes) },
            ),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('of a sample with values of other types causes no exception', async () => {
    const sample = await definition.sample(definition.sampleEvents[0] ?? '', {
      url: receiveUrl,
      settings: signing,
      nowMs,
    });
    if (sample.headers['content-type']?.includes('form')) return;
    const values = fc.oneof(
      fc.constantFrom(null, -1, 1e300, true, [], {}, '', '__proto__', 'x'.repeat(300)),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), values, async (at, value) => {
        const body = withValue(sample.body, at, value);
        await endure(callbackOf({ headers: {}, body }), true);
        const envelope = JSON.parse(sample.body);
        if (typeof envelope.Message !== 'string') return;
        const inner = { ...envelope, Message: withValue(envelope.Message, at, value) };
        await endure(callbackOf({ headers: {}, body: JSON.stringify(inner) }), true);
      }),
      { numRuns: 120 },
    );
  });

  test('with keys of object prototypes is treated as plain JSON', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      await endure(
        callbackOf({
          headers: {},
          body: `{"${name}":{"kind":"x","data":{"record_type":"event"}},"event":"${name}","signature":{"${name}":1},"event-data":{"event":"${name}"}}`,
        }),
      );
    }
  });
});
