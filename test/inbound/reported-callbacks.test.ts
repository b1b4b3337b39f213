import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import twilio from 'twilio/lib/webhooks/webhooks.js';
import { receivers } from '../../src/inbound/receivers.ts';
import { smsConsentIn } from '../../src/inbound/sms-keywords.ts';
import { isGoneError } from '../../src/inbound/push-errors.ts';
import { verifyTopic } from '../../src/inbound/signatures/topic-x509.ts';
import { verifyUrlParams } from '../../src/inbound/signatures/url-params-hmac-sha1.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { callbackOf, receiveUrl } from './a-callback.ts';
import { aReceiver, codeOf } from './a-receiver.ts';
import { certificateUrl, fromTopic, leaf, toolsWith, topicArn } from './a-topic.ts';

// Inputs of public bug reports of other projects, which test/field/README.md lists.

const api = useTestApi();
const auth_token = '0123456789abcdef0123456789abcdef';
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

/** The judgment of a call that the provider's library signs over `signedUrl`. */
function judgeForm(params: Record<string, string>, url: string, signedUrl = url) {
  const signature = twilio.getExpectedTwilioSignature(auth_token, signedUrl, params);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signature,
  };
  const body = new URLSearchParams(params).toString();
  return verifyUrlParams(callbackOf({ headers, body }, { url }), { auth_token }).status;
}

describe('signed addresses and forms', () => {
  const message = { MessageSid: `SM${'1'.repeat(32)}`, SmsStatus: 'received', Body: 'hello' };

  test('twilio/twilio-node#1183, twilio/twilio-ruby#528: an apostrophe in query and text', () => {
    const params = { ...message, Body: "you're so smart" };
    const url = `${receiveUrl}?city=Trezzo%20Sull%27Adda`;
    expect(judgeForm(params, url, `${receiveUrl}?city=Trezzo%20Sull'Adda`)).toBe('valid');
    expect(judgeForm(params, url)).toBe('valid');
  });

  test('twilio/twilio-php#458: a parameter that holds JSON', () => {
    const AddOns = '{"status":"successful","message":null,"code":null,"results":{}}';
    expect(judgeForm({ ...message, AddOns }, receiveUrl)).toBe('valid');
  });

  test('bmlt-enabled/yap#1629: an unsorted query with spaces as plus signs', () => {
    const url = `${receiveUrl}?Retry=1&Digits=1&RetryMessage=Couldn%27t+find&AccountSid=AC1`;
    expect(judgeForm(message, url)).toBe('valid');
  });

  test('twilio/twilio-php#790: ids that the provider sorts after it signs', () => {
    const ids = 'do_message_id=m&do_contact_id=c';
    const sorted = 'do_contact_id=c&do_message_id=m';
    expect(judgeForm(message, `${receiveUrl}?${sorted}`, `${receiveUrl}?${ids}`)).toBe('valid');
  });

  test('twilio/twilio-agent-connect-python#85: a captured address with a forged JSON body', () => {
    const body = '{"MessageSid":"SM1","Body":"STOP"}';
    const hash = createHash('sha256').update(body).digest('hex');
    const url = `${receiveUrl}?bodySHA256=${hash}`;
    const signature = twilio.getExpectedTwilioSignature(auth_token, url, {});
    const headers = { 'content-type': 'application/json', 'x-twilio-signature': signature };
    const judge = (sent: string) =>
      verifyUrlParams(callbackOf({ headers, body: sent }, { url }), { auth_token }).status;
    expect(twilio.validateRequestWithBody(auth_token, signature, url, body)).toBe(true);
    expect(judge(body)).toBe('valid');
    expect(judge(body.replace('STOP', 'START'))).toBe('invalid');
  });
});

describe('signed bodies', () => {
  const signing_key = 'a key of the sender';
  const aSender = (preset: string, settings: object = {}) =>
    aReceiver(api, team, {
      verification: {
        preset,
        signing_key,
        event_id_at: '/id',
        event_type_at: '/type',
        ...settings,
      },
    });
  const hmac = (text: string, encoding: 'hex' | 'base64') =>
    createHmac('sha256', signing_key).update(text).digest(encoding);
  const send = async (path: string, raw: string, headers: Record<string, string>) =>
    codeOf(await api.call('POST', path, { raw, headers }));

  test('octokit/webhooks.js#1155, jonpulice/node-shopify-auth#2: emoji and line separators', async () => {
    const raw = '{"id":"1","type":"a.b","text":"😊 é","escaped":"\\u2028","bare":"\u2028"}\r\n';
    const hex = await aSender('hex_prefixed');
    const headers = { 'X-Hub-Signature-256': `sha256=${hmac(raw, 'hex')}` };
    expect(await send(hex.path, raw, headers)).toBe('200 accepted');
    const base64 = await aSender('base64_body');
    expect(await send(base64.path, raw, { 'X-Webhook-Signature': hmac(raw, 'base64') })).toBe(
      '200 accepted',
    );
  });

  test('adcontextprotocol/adcp-client#313: bytes that no serializer would write again', async () => {
    const receiver = await aSender('hex_prefixed');
    const raw = '{ "id": "1",  "num": 1.0, "type": "a.b", "e": "\\u00e9" }';
    const headers = { 'X-Hub-Signature-256': `sha256=${hmac(raw, 'hex')}` };
    expect(await send(receiver.path, raw, headers)).toBe('200 accepted');
    const again = JSON.stringify(JSON.parse(raw));
    expect(await send(receiver.path, again, headers)).toBe('401 signature_invalid');
  });

  test('open-mercato/open-mercato#1343: a captured call without its id header', async () => {
    const receiver = await aSender('hex_prefixed', { event_id_at: 'X-Event-Id' });
    const raw = '{"type":"a.b"}';
    const signature = { 'X-Hub-Signature-256': `sha256=${hmac(raw, 'hex')}` };
    const first = { ...signature, 'X-Event-Id': 'e1' };
    expect(await send(receiver.path, raw, first)).toBe('200 accepted');
    expect(await send(receiver.path, raw, { ...signature, 'X-Event-Id': 'e2' })).toBe(
      '200 duplicate',
    );
    // Without an id it is no event, however often it comes.
    expect(await send(receiver.path, raw, signature)).toBe('200 accepted');
    expect(await send(receiver.path, raw, signature)).toBe('200 duplicate');
    expect((await receiver.deliveries()).data.map((one: any) => one.status).sort()).toEqual([
      'failed',
      'processed',
    ]);
  });

  test('schemalabz/opencouncil#389: repeats hours later with the first timestamp', async () => {
    const raw = JSON.stringify({ id: randomUUID(), type: 'sms.inbound' });
    const timestamp = String(Math.floor(Date.now() / 1_000) - 13_618);
    const headers = {
      'X-Webhook-Signature': `t=${timestamp},v1=${hmac(`${timestamp}.${raw}`, 'hex')}`,
    };
    const strict = await aSender('timestamped');
    expect(await send(strict.path, raw, headers)).toBe('401 signature_expired');
    const patient = await aSender('timestamped', { max_age_seconds: 86_400 });
    expect(await send(patient.path, raw, headers)).toBe('200 accepted');
    const forged = { 'X-Webhook-Signature': `t=${timestamp},v1=${hmac(raw, 'hex')}` };
    expect(await send(patient.path, raw, forged)).toBe('401 signature_invalid');
  });

  test('ids with an emoji at the limit of their length are stored', async () => {
    const receiver = await aSender('hex_prefixed');
    const ids = [
      `${'x'.repeat(254)}😀`,
      '😀'.repeat(127),
      '😀'.repeat(128),
      `${'x'.repeat(254)}😀tail`,
    ];
    for (const id of ids) {
      const raw = JSON.stringify({ id, type: 'a.b' });
      const headers = { 'X-Hub-Signature-256': `sha256=${hmac(raw, 'hex')}` };
      expect([id, await send(receiver.path, raw, headers)]).toEqual([id, '200 accepted']);
    }
    const mailer = await aReceiver(api, team, {
      receiver_kind: 'email_b',
      signature_required: false,
    });
    const event = { event: 'delivered', email: 'a@example.com', timestamp: 1_769_851_800 };
    const list = ids.map((sg_event_id) => ({ ...event, sg_event_id, sg_message_id: 'm' }));
    const reply = await api.call('POST', mailer.path, { body: list });
    expect(reply.body).toMatchObject({ accepted: ids.length, duplicates: 0 });
    const gun = await aReceiver(api, team, {
      receiver_kind: 'email_c',
      verification: { signing_key },
    });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    for (const id of ids) {
      const token = randomBytes(25).toString('hex');
      const signature = { timestamp, token, signature: hmac(timestamp + token, 'hex') };
      const about = { recipient: 'a@example.com', message: { headers: { 'message-id': 'm' } } };
      const data = { id, event: 'opened', timestamp: Number(timestamp), ...about };
      const body = { signature, 'event-data': data };
      expect(codeOf(await api.call('POST', gun.path, { body }))).toBe('200 accepted');
    }
  });
});

describe('topics', () => {
  const judge = async (fields: Record<string, string>, pem = leaf()) => {
    const tools = toolsWith(pem);
    const body = fromTopic('Notification', fields);
    const callback = callbackOf({ headers: {}, body }, { receivedAtMs: Date.now() });
    const pins = { topic_arns: [fields['TopicArn'] ?? topicArn] };
    const { status } = await verifyTopic(callback, callback.json, pins, tools);
    return { status, asked: tools.asked };
  };

  test('aws/aws-js-sns-message-validator#6: a message beyond ASCII', async () => {
    expect(await judge({ Message: 'Überweisung – 完了 😀' })).toMatchObject({ status: 'valid' });
  });

  test('useplunk/plunk#335: the EU sovereign cloud', async () => {
    const host = 'sns.eusc-de-east-1.amazonaws.eu';
    const SigningCertURL = `https://${host}/SimpleNotificationService-0123456789abcdef.pem`;
    const TopicArn = 'arn:aws-eusc:sns:eusc-de-east-1:123456789012:onward';
    expect(await judge({ SigningCertURL, TopicArn }, leaf({ name: host }))).toMatchObject({
      status: 'valid',
    });
  });

  test('localstack/localstack#12143: a certificate at another host', async () => {
    const SigningCertURL =
      'http://localhost.localstack.cloud:4566/_aws/sns/SimpleNotificationService-1.pem';
    expect(await judge({ SigningCertURL })).toEqual({ status: 'invalid', asked: [] });
  });

  test('awsdocs/amazon-sns-developer-guide#7: a certificate without the region', async () => {
    expect(certificateUrl).toContain('sns.us-east-1.');
    expect(await judge({}, leaf({ name: 'sns.amazonaws.com' }))).toMatchObject({ status: 'valid' });
  });
});

describe('replies by SMS', () => {
  test.each([
    ['SparkDevNetwork/Rock#6399', 'REVOKE', 'unsubscribed'],
    ['SparkDevNetwork/Rock#6399', 'OPTOUT', 'unsubscribed'],
    ['p2pu/learning-circles#593', 'Stop. Thank you ', 'unsubscribed'],
    ['department-of-veterans-affairs/notification-api#313', 'OPT-OUT', 'unsubscribed'],
    ['department-of-veterans-affairs/notification-api#313', 'TD', 'unsubscribed'],
    ['department-of-veterans-affairs/notification-api#313', 'REMOVE', 'unsubscribed'],
    ['cds-snc/notification-api#735', 'ARRET', 'unsubscribed'],
    ['medic/cht-core#476', 'STOP 12345', undefined],
    [
      'ProgressiveCoders/Spoke#1016',
      'Count me in! We have got to STOP this terrible bill from passing!!',
      undefined,
    ],
  ])('%s: %s', (_, text, consent) => {
    expect(smsConsentIn(text)).toBe(consent);
  });
});

describe('tokens of devices', () => {
  const bus = (data: object) => {
    const message = {
      data: Buffer.from(JSON.stringify(data)).toString('base64'),
      messageId: '1',
      publishTime: '2026-03-01T12:00:00Z',
    };
    const body = JSON.stringify({ message, subscription: 's' });
    return receivers.push_a.read(callbackOf({ headers: {}, body }), {})[0];
  };

  test.each([
    ['novuhq/novu#12532', 'NotRegistered'],
    ['novuhq/novu#12532', 'Requested entity was not found.'],
    ['novuhq/novu#12532', 'BadDeviceToken'],
    ['activitree/meteor-push#18', 'messaging/registration-token-not-registered'],
    ['OneSignal/OneSignal-Flutter-SDK#1086', 'Apns Bad Device Token'],
    ['firebase/firebase-ios-sdk#10074', '{"error":"NotRegistered"}'],
  ])('%s: %s means that the device is gone', (_, text) => {
    expect(isGoneError(text)).toBe(true);
    const failed = { event: 'MESSAGE_FAILED', message_id: 'm', error_message: text };
    expect(bus(failed)).toHaveProperty('payload.event', 'token_invalid');
  });

  test('RocketChat/Rocket.Chat#32440, rails/action_push_native#141: the two answers of FCM', () => {
    const failed = { event: 'MESSAGE_FAILED', message_id: 'm' };
    const gone = { ...failed, error_code: 'UNREGISTERED' };
    expect(bus(gone)).toHaveProperty('payload.event', 'token_invalid');
    const invalid = { ...failed, error_code: 'INVALID_ARGUMENT' };
    const sentence = 'The registration token is not a valid FCM registration token';
    expect(bus({ ...invalid, error_message: sentence })).toHaveProperty(
      'payload.event',
      'token_invalid',
    );
    expect(bus({ ...invalid, error_message: 'Invalid value at message.data' })).toHaveProperty(
      'payload.event',
      'failed',
    );
  });

  test.each([
    ...['InvalidProviderToken', 'ExpiredProviderToken', 'MismatchSenderId', 'QUOTA_EXCEEDED'],
    ...[
      'DeviceTokenNotForTopic',
      'THIRD_PARTY_AUTH_ERROR',
      'invalid access token',
      'TooManyRequests',
    ],
  ])('novuhq/novu#12532: %s is an error of the sender, and no device ends', (text) => {
    expect(isGoneError(text)).toBe(false);
  });
});
