import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { receivers } from '../../../src/inbound/receivers.ts';
import {
  signStandardWebhook,
  verifyStandardWebhook,
} from '../../../src/inbound/signatures/standard-webhooks.ts';
import { newSigningSecret } from '../../../src/webhooks/webhook-subscriptions/secrets.ts';
import { callbackOf, noTools, nowMs, nowSeconds, receiveUrl, withChange } from '../a-callback.ts';

const secret = newSigningSecret();
const other = newSigningSecret();
const body = '{"kind":"generic_hmac","n":1}';
const good = signStandardWebhook(secret, 'msg_1', nowMs, body);

interface Changes {
  bytes?: Buffer;
  at?: number;
  secrets?: string[];
}

function judge(headers: Record<string, string>, changes: Changes = {}) {
  const { bytes = Buffer.from(body), at = nowMs, secrets = [secret] } = changes;
  const callback = callbackOf({ headers, body: '' }, { bytes, receivedAtMs: at });
  return verifyStandardWebhook(callback, secrets).status;
}
const without = (name: string) =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));

describe('a signature of Standard Webhooks', () => {
  test('is valid for the vector of the specification', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const vector = { bytes: Buffer.from('{"test": 2432232314}'), at: 1_614_265_330_000 };
    const key = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(judge(headers, { ...vector, secrets: [key] })).toBe('valid');
    expect(judge(headers, { ...vector, secrets: [`whsec_${key}`] })).toBe('valid');
  });

  test('is valid for the library in both directions', () => {
    const at = Date.now();
    const headers = signStandardWebhook(secret, 'msg_1', at, body);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    const theirs = new Webhook(secret).sign('msg_1', new Date(at), body);
    expect(judge({ ...headers, 'webhook-signature': theirs }, { at })).toBe('valid');
  });

  test('is valid with the header names of Svix', () => {
    const svix = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name.replace('webhook', 'svix'), value]),
    );
    expect(judge(svix)).toBe('valid');
    expect(judge({ ...svix, 'svix-id': 'msg_2' })).toBe('invalid');
  });

  test('is valid with any live secret and any signature of the list', () => {
    expect(judge(good, { secrets: [other, secret] })).toBe('valid');
    const list = `v1a,abc v2,xyz ${signStandardWebhook(other, 'msg_1', nowMs, body)['webhook-signature']} ${good['webhook-signature']}`;
    expect(judge({ ...good, 'webhook-signature': list })).toBe('valid');
  });

  test.each([
    [299, 'valid'],
    [300, 'valid'],
    [301, 'expired'],
    [-299, 'valid'],
    [-300, 'valid'],
    [-301, 'expired'],
  ])('that is %s s old is %s', (age, status) => {
    expect(judge(good, { at: nowMs + age * 1_000 })).toBe(status);
  });

  const signature = good['webhook-signature'] ?? '';
  test.each([
    ['of another secret', judge(signStandardWebhook(other, 'msg_1', nowMs, body))],
    ['where there is no secret', judge(good, { secrets: [] })],
    ['where the secret is empty', judge(good, { secrets: ['', 'whsec_', 'whsec_c2hvcnQ='] })],
    ['truncated', judge({ ...good, 'webhook-signature': signature.slice(0, -1) })],
    ['truncated to its version', judge({ ...good, 'webhook-signature': 'v1,' })],
    ['empty', judge({ ...good, 'webhook-signature': '' })],
    ['without its version', judge({ ...good, 'webhook-signature': signature.slice(3) })],
    [
      'of a version in capitals',
      judge({ ...good, 'webhook-signature': signature.replace('v1', 'V1') }),
    ],
    ['of version 2', judge({ ...good, 'webhook-signature': signature.replace('v1', 'v2') })],
    ['in capitals', judge({ ...good, 'webhook-signature': signature.toUpperCase() })],
    [
      'in hex',
      judge({
        ...good,
        'webhook-signature': `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`,
      }),
    ],
    ['without padding', judge({ ...good, 'webhook-signature': signature.replace(/=+$/, '') })],
    ['with more behind it', judge({ ...good, 'webhook-signature': `${signature}=` })],
    ['between commas', judge({ ...good, 'webhook-signature': `${signature},${signature}` })],
    [
      'behind too many others',
      judge({ ...good, 'webhook-signature': `${'v1,x '.repeat(16)}${signature}` }),
    ],
    ['of another id', judge({ ...good, 'webhook-id': 'msg_2' })],
    ['of another time', judge({ ...good, 'webhook-timestamp': String(nowSeconds - 1) })],
    ['of a time with a fraction', judge({ ...good, 'webhook-timestamp': `${nowSeconds}.0` })],
    ['of a time with a sign', judge({ ...good, 'webhook-timestamp': `+${nowSeconds}` })],
    ['of a time with a space', judge({ ...good, 'webhook-timestamp': ` ${nowSeconds}` })],
    ['of a time in hex', judge({ ...good, 'webhook-timestamp': `0x${nowSeconds.toString(16)}` })],
    ['of a time in ms', judge(signStandardWebhook(secret, 'msg_1', nowMs * 1_000, body))],
    ['without an id', judge(without('webhook-id'))],
    ['without a time', judge(without('webhook-timestamp'))],
    ['of an empty id', judge(signStandardWebhook(secret, '', nowMs, body))],
    ['of an id with a dot', judge(signStandardWebhook(secret, 'a.b', nowMs, body))],
    ['of the body with a space', judge(good, { bytes: Buffer.from(`${body} `) })],
    ['of the body with a mark before it', judge(good, { bytes: Buffer.from(`\ufeff${body}`) })],
    [
      'of the body written anew',
      judge(good, { bytes: Buffer.from(JSON.stringify(JSON.parse(body), null, 1)) }),
    ],
    ['of the body in UTF-16', judge(good, { bytes: Buffer.from(body, 'utf16le') })],
    ['of no body', judge(good, { bytes: Buffer.alloc(0) })],
  ])('%s is refused', (_, status) => {
    expect(status).toBe('invalid');
  });

  test('cannot be reused with bytes moved between time and body', () => {
    const moved = signStandardWebhook(secret, 'msg_1', nowMs, '123.{}');
    const headers = { ...moved, 'webhook-id': `msg_1.${nowSeconds}`, 'webhook-timestamp': '123' };
    expect(judge(headers, { bytes: Buffer.from('{}') })).toBe('invalid');
  });

  test('has the status missing if it is absent', () => {
    expect(judge({})).toBe('missing');
    expect(judge(without('webhook-signature'))).toBe('missing');
  });

  test('of any bytes is valid, and with a changed byte is not', () => {
    const bodies = fc.uint8Array({ minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(bodies, fc.nat(), fc.integer({ min: 1, max: 255 }), (array, at, by) => {
        const bytes = Buffer.from(array);
        const key = Buffer.from(secret.slice(6), 'base64');
        const mac = createHmac('sha256', key).update(`id.${nowSeconds}.`).update(bytes);
        const headers = {
          'webhook-id': 'id',
          'webhook-timestamp': String(nowSeconds),
          'webhook-signature': `v1,${mac.digest('base64')}`,
        };
        expect(judge(headers, { bytes })).toBe('valid');
        const place = at % bytes.length;
        bytes[place] = ((bytes[place] ?? 0) + by) % 256;
        expect(judge(headers, { bytes })).toBe('invalid');
      }),
      { numRuns: 5_000 },
    );
  });

  test('with one character of a header changed is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(good)), fc.nat(), (name, at) => {
        expect(judge({ ...good, [name]: withChange(good[name] ?? '', at) })).toBe('invalid');
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the presets of generic_hmac', () => {
  const { generic_hmac: generic } = receivers;
  const key = 'their own secret';
  const hex = (content: string, algorithm = 'sha256') =>
    createHmac(algorithm, key).update(content).digest('hex');
  const base64 = (content: string) => createHmac('sha256', key).update(content).digest('base64');
  const time = String(nowSeconds);

  const forms: [string, Record<string, string>, Record<string, string>][] = [
    ['hex_prefixed', { preset: 'hex_prefixed' }, { 'x-hub-signature-256': `sha256=${hex(body)}` }],
    [
      'base64_body',
      { preset: 'base64_body', signature_header: 'X-Shop-Hmac' },
      { 'x-shop-hmac': base64(body) },
    ],
    [
      'timestamped',
      { preset: 'timestamped', signature_header: 'X-Pay-Signature' },
      { 'x-pay-signature': `t=${time},v0=x,v1=${hex('old')},v1=${hex(`${time}.${body}`)}` },
    ],
    [
      'timestamped with a header for the time',
      { preset: 'timestamped', timestamp_header: 'X-Time', prefix: 'v0=', algorithm: 'sha512' },
      { 'x-webhook-signature': `v0=${hex(`${time}.${body}`, 'sha512')}`, 'x-time': time },
    ],
    [
      'all of id, time and body',
      {
        preset: 'timestamped',
        content: 'id.timestamp.body',
        id_header: 'X-Id',
        timestamp_header: 'X-Time',
      },
      { 'x-webhook-signature': hex(`e1.${time}.${body}`), 'x-time': time, 'x-id': 'e1' },
    ],
  ];
  const verify = async (settings: object, headers: Record<string, string>, changes = {}) =>
    (
      await generic.verify(
        callbackOf({ headers, body }, changes),
        { signing_key: key, ...settings },
        noTools,
      )
    ).status;

  test.each(forms)('%s: valid as sent, refused with any change', async (_, settings, headers) => {
    expect(await verify(settings, headers)).toBe('valid');
    expect(await verify(settings, headers, { bytes: Buffer.from(`${body} `) })).toBe('invalid');
    expect(await verify({ ...settings, signing_key: 'another' }, headers)).toBe('invalid');
    expect(await verify({ ...settings, signing_key: undefined }, headers)).toBe('invalid');
    expect(await verify({ ...settings, prefix: 'x' }, headers)).toBe('invalid');
    expect(await verify(settings, {})).toBe('missing');
    const [name = ''] = Object.keys(headers);
    for (const value of [
      '',
      headers[name]?.slice(0, -1) ?? '',
      headers[name]?.toUpperCase() ?? '',
    ]) {
      expect(await verify(settings, { ...headers, [name]: value })).toBe('invalid');
    }
  });

  test.each(forms.slice(2))(
    '%s: the age of the signature is limited',
    async (_, settings, headers) => {
      expect(await verify(settings, headers, { receivedAtMs: nowMs + 300_000 })).toBe('valid');
      expect(await verify(settings, headers, { receivedAtMs: nowMs + 301_000 })).toBe('expired');
      expect(await verify(settings, headers, { receivedAtMs: nowMs - 300_000 })).toBe('valid');
      expect(await verify(settings, headers, { receivedAtMs: nowMs - 301_000 })).toBe('expired');
      expect(
        await verify({ ...settings, max_age_seconds: 10 }, headers, {
          receivedAtMs: nowMs + 11_000,
        }),
      ).toBe('expired');
    },
  );

  test('timestamped: two times in one header are refused', async () => {
    const [, settings = {}, headers = {}] = forms[2] ?? [];
    const header = headers['x-pay-signature'] ?? '';
    expect(await verify(settings, { 'x-pay-signature': `t=1,${header}` })).toBe('invalid');
  });

  test('sign their own samples, with the relay secret if they have no key', async () => {
    for (const [, settings] of forms) {
      for (const own of [{ signing_key: key }, { relay_secrets: [secret] }]) {
        const all = { ...settings, ...own };
        const sample = await generic.sample('email.delivered', {
          url: receiveUrl,
          settings: all,
          nowMs,
        });
        expect((await generic.verify(callbackOf(sample), all, noTools)).status).toBe('valid');
      }
    }
  });

  test('read bodies of any format at the pointers of the settings', () => {
    const theirs = { action: 'Opened PR', event: { id: 42 }, 'a/b': 'x' };
    const callback = callbackOf({
      headers: { 'x-event': 'pull_request' },
      body: JSON.stringify(theirs),
    });
    expect(generic.isNative(callback)).toBe(true);
    expect(
      generic.read(callback, { event_id_at: '/event/id', event_type_at: 'X-Event' }),
    ).toMatchObject([{ payload: { event_id: '42', event_type: 'pull_request', data: theirs } }]);
    expect(
      generic.read(callback, { event_id_at: '/a~1b', event_type_at: '/action' }),
    ).toMatchObject([{ payload: { event_id: 'x', event_type: 'opened_pr' } }]);
    expect(generic.read(callback, {})).toMatchObject([{ unrecognized: expect.any(String) }]);
  });
});
