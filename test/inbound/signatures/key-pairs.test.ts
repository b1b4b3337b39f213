import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { EventWebhook } from '@sendgrid/eventwebhook';
import fc from 'fast-check';
import Telnyx from 'telnyx';
import { createSampleKeys } from '../sample-keys.ts';
import { receivers } from '../../../src/inbound/receivers.ts';
import {
  ecdsaP256Timestamped,
  ed25519Timestamped,
  verifyKeyPair,
} from '../../../src/inbound/signatures/key-pair-timestamped.ts';
import { callbackOf, noTools, nowMs, receiveUrl, withChange } from '../a-callback.ts';

const kinds = [
  { kind: 'email_b', scheme: ecdsaP256Timestamped, maxAge: 86_400 },
  { kind: 'sms_b', scheme: ed25519Timestamped, maxAge: 300 },
] as const;

describe.each(kinds)('the key pair of $kind', ({ kind, scheme, maxAge }) => {
  const definition = receivers[kind];
  const keys = createSampleKeys(kind);
  const sampled = async () =>
    definition.sample('delivered', { url: receiveUrl, settings: keys.signing, nowMs });
  const judge = async (
    { headers, body }: { headers: Record<string, string>; body: string },
    settings: object = keys.verification,
    changes = {},
  ) =>
    (await definition.verify(callbackOf({ headers, body }, changes), { ...settings }, noTools))
      .status;

  test('verifies its own signature', async () => {
    expect(await judge(await sampled())).toBe('valid');
  });

  test.each([
    [maxAge, 'valid'],
    [maxAge + 1, 'expired'],
    [-300, 'valid'],
    [-301, 'expired'],
  ])('rates a signature that is %s s old as %s', async (age, status) => {
    const changes = { receivedAtMs: nowMs + age * 1_000 };
    expect(await judge(await sampled(), undefined, changes)).toBe(status);
  });

  test('has a maximum age in the settings', async () => {
    const settings = { ...keys.verification, max_age_seconds: 60 };
    expect(await judge(await sampled(), settings, { receivedAtMs: nowMs + 60_000 })).toBe('valid');
    expect(await judge(await sampled(), settings, { receivedAtMs: nowMs + 61_000 })).toBe(
      'expired',
    );
  });

  test.each([
    ['of another receiver', createSampleKeys(kind).verification],
    ['that is missing', {}],
    ['that is empty', { public_key: '' }],
    ['that is no key', { public_key: 'hello' }],
    ['that is base64 of something else', { public_key: Buffer.from('hello').toString('base64') }],
    ['that is too short', { public_key: Buffer.alloc(31).toString('base64') }],
    ['of another family', createSampleKeys(kind === 'email_b' ? 'sms_b' : 'email_b').verification],
    ['that is private', createSampleKeys(kind).signing],
  ])('%s verifies nothing', async (_, settings) => {
    expect(await judge(await sampled(), settings)).toBe('invalid');
  });

  test.each<[string, (signature: string) => string]>([
    ['truncated', (text) => text.slice(0, -4)],
    ['empty', () => ''],
    ['without padding', (text) => text.replace(/=+$/, '').slice(0, -1)],
    ['in hex', (text) => Buffer.from(text, 'base64').toString('hex')],
    ['in URL form', (text) => `${text.replaceAll('+', '-').replaceAll('/', '_')}_`],
    ['with a line break', (text) => `${text}\n`],
    ['twice', (text) => `${text}, ${text}`],
    ['of zeroes', () => Buffer.alloc(64).toString('base64')],
    ['of one byte', () => 'AA=='],
  ])('refuses a signature %s', async (_, change) => {
    const { headers, body } = await sampled();
    const signature = change(headers[scheme.signatureHeader] ?? '');
    expect(
      await judge({ headers: { ...headers, [scheme.signatureHeader]: signature }, body }),
    ).toBe('invalid');
  });

  test.each(['', 'now', '1772366400.5', '-1', '99999999999'])(
    'refuses the time %j',
    async (time) => {
      const { headers, body } = await sampled();
      expect(await judge({ headers: { ...headers, [scheme.timestampHeader]: time }, body })).toBe(
        'invalid',
      );
    },
  );

  test('refuses a genuine signature of another time', async () => {
    const { headers, body } = await sampled();
    const time = String(nowMs / 1_000 + 1);
    expect(await judge({ headers: { ...headers, [scheme.timestampHeader]: time }, body })).toBe(
      'invalid',
    );
  });

  test('refuses one changed byte of the body', async () => {
    const sample = await sampled();
    await fc.assert(
      fc.asyncProperty(fc.nat(sample.body.length - 1), fc.nat(255), async (at, byte) => {
        const bytes = Buffer.from(sample.body);
        fc.pre(bytes[at] !== byte);
        bytes[at] = byte;
        expect(await judge(sample, undefined, { bytes })).toBe('invalid');
      }),
    );
  });

  test('refuses one changed character of a header', async () => {
    const { headers, body } = await sampled();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(scheme.signatureHeader, scheme.timestampHeader),
        fc.nat(),
        async (name, at) => {
          const changed = { ...headers, [name]: withChange(headers[name] ?? '', at) };
          expect(await judge({ headers: changed, body })).toBe('invalid');
        },
      ),
    );
  });

  test('counts an absent signature as missing', async () => {
    const { body } = await sampled();
    expect(await judge({ headers: { 'content-type': 'application/json' }, body })).toBe('missing');
  });
});

describe('ECDSA, compared with the provider’s library:', () => {
  const peer = new EventWebhook();
  const keys = createSampleKeys('email_b');

  test('samples of the service are valid there, and forged ones are not', async () => {
    const { headers, body } = await receivers.email_b.sample('bounce', {
      url: receiveUrl,
      settings: keys.signing,
      nowMs,
    });
    const key = peer.convertPublicKeyToECDSA(keys.verification['public_key'] ?? '');
    const [signature = '', time = ''] = [
      headers[ecdsaP256Timestamped.signatureHeader],
      headers[ecdsaP256Timestamped.timestampHeader],
    ];
    expect(peer.verifySignature(key, body, signature, time)).toBe(true);
    expect(peer.verifySignature(key, `${body} `, signature, time)).toBe(false);
  });

  test('the provider’s own vector is valid here', () => {
    const key =
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==';
    const headers = {
      [ecdsaP256Timestamped.signatureHeader]:
        'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
      [ecdsaP256Timestamped.timestampHeader]: '1588788367',
    };
    const body = '{"category":"example_payload","event":"test_event","message_id":"message_id"}';
    const callback = callbackOf({ headers, body }, { receivedAtMs: 1_588_788_367_000 });
    const armoured = `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----\n`;
    for (const public_key of [key, armoured]) {
      expect(verifyKeyPair(ecdsaP256Timestamped, callback, { public_key })).toEqual({
        status: 'valid',
      });
    }
  });

  test('another curve is refused', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const headers = {
      [ecdsaP256Timestamped.signatureHeader]: sign(
        'sha256',
        Buffer.from('1588788367{}'),
        privateKey,
      ).toString('base64'),
      [ecdsaP256Timestamped.timestampHeader]: '1588788367',
    };
    const callback = callbackOf({ headers, body: '{}' }, { receivedAtMs: 1_588_788_367_000 });
    const public_key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    expect(verifyKeyPair(ecdsaP256Timestamped, callback, { public_key }).status).toBe('invalid');
  });
});

describe('Ed25519, compared with the provider’s library:', () => {
  test('samples of the service are valid there, and forged ones are not', async () => {
    const keys = createSampleKeys('sms_b');
    const { headers, body } = await receivers.sms_b.sample('delivered', {
      ...{ url: receiveUrl, settings: keys.signing, nowMs: Date.now() },
    });
    const publicKey = keys.verification['public_key'] ?? '';
    const { webhooks } = new Telnyx({ apiKey: 'unused', publicKey });
    expect(await webhooks.unwrap(body, { headers })).toEqual(JSON.parse(body));
    await expect(webhooks.unwrap(`${body} `, { headers })).rejects.toThrow('verification');
  });

  test('a vector that it accepts is valid here', () => {
    const headers = {
      'telnyx-signature-ed25519':
        'CAQPTtD3lNCdhKJpR/OjbEXO2eK5dW+h2SclCEyWno+HOhfu3gOJYvKEyj0BAsNSNscyplEMWqyBR3EM8u1JDA==',
      'telnyx-timestamp': '1772366400',
    };
    const body = '{"data":{"record_type":"event","id":"evt-1"}}';
    const callback = callbackOf({ headers, body }, { receivedAtMs: 1_772_366_400_000 });
    const public_key = '6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=';
    expect(verifyKeyPair(ed25519Timestamped, callback, { public_key }).status).toBe('valid');
  });
});
