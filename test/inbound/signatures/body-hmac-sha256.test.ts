import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { receivers } from '../../../src/inbound/receivers.ts';
import { bodyHmac, verifyBodyHmac } from '../../../src/inbound/signatures/body-hmac-sha256.ts';
import { callbackOf, noTools, nowMs, nowSeconds, withChange } from '../a-callback.ts';

const signingKey = 'key-of-the-account';
const token = '1234567890abcdef1234567890abcdef1234567890abcdef12';
const timestamp = String(nowSeconds);
const good = { timestamp, token, signature: bodyHmac(signingKey, timestamp, token) };
const oneTime = { token, signature: good.signature };

function judge(
  signature: unknown,
  { key = signingKey, at = nowMs }: { key?: string; at?: number } = {},
) {
  const body = JSON.stringify({ signature, 'event-data': {} });
  const callback = callbackOf({ headers: {}, body }, { receivedAtMs: at });
  return verifyBodyHmac(callback, { signing_key: key });
}

describe('an HMAC in the body', () => {
  test('is valid for a value computed with openssl', () => {
    const signature = 'f660d28b04ba8f516fd472839da9a70864fd12b3d300479ce0e095316c53f79e';
    const at = 1_772_366_400_000;
    expect(judge({ timestamp: '1772366400', token, signature }, { at })).toEqual({
      status: 'valid',
      token: { token, signature },
    });
  });

  test('contains its token and signature, which are accepted once', () => {
    expect(judge(good)).toEqual({ status: 'valid', token: oneTime });
  });

  test('is valid in a form, too', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const callback = callbackOf({ headers, body: new URLSearchParams(good).toString() });
    expect(receivers.email_c.isNative(callback)).toBe(true);
    expect(verifyBodyHmac(callback, { signing_key: signingKey })).toEqual({
      status: 'valid',
      token: oneTime,
    });
  });

  test.each([
    [28_800, 'valid'],
    [28_801, 'expired'],
    [-300, 'valid'],
    [-301, 'expired'],
  ])('that is %s s old is %s', (age, status) => {
    const verification = judge(good, { at: nowMs + age * 1_000 });
    expect(verification.status).toBe(status);
    expect(verification.token).toEqual(status === 'valid' ? oneTime : undefined);
  });

  test.each([
    ['of another key', good, { key: 'another' }],
    ['without a key', good, { key: '' }],
    ['of another token', { ...good, token: `x${token.slice(1)}` }],
    ['of another time', { ...good, timestamp: String(nowSeconds - 1) }],
    [
      'with a digit moved from token to time',
      { ...good, timestamp: `${timestamp}1`, token: token.slice(1) },
    ],
    [
      'with a digit moved from time to token',
      { ...good, timestamp: timestamp.slice(0, -1), token: timestamp.slice(-1) + token },
    ],
    ['truncated', { ...good, signature: good.signature.slice(0, -1) }],
    ['in capitals', { ...good, signature: good.signature.toUpperCase() }],
    ['with a space', { ...good, signature: `${good.signature} ` }],
    [
      'with a short token',
      { timestamp, token: 'x', signature: bodyHmac(signingKey, timestamp, 'x') },
    ],
    ['without a token', { timestamp, signature: good.signature }],
    ['with a token that is a list', { ...good, token: [token] }],
    ['with a time that is a number', { ...good, timestamp: nowSeconds }],
    [
      'of its parent’s key only',
      {
        ...good,
        signature: bodyHmac('parent', timestamp, token),
        'parent-signature': good.signature,
      },
    ],
  ] as [string, unknown, { key?: string }?][])('%s is refused', (_, signature, changes = {}) => {
    expect(judge(signature, changes).status).toBe('invalid');
  });

  test.each([undefined, null, {}, [], 'x', 1])('%j in its place counts as missing', (signature) => {
    expect(judge(signature).status).toBe('missing');
  });

  test('with one character changed is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom('timestamp', 'token', 'signature'), fc.nat(), (name, at) => {
        const text = good[name];
        expect(judge({ ...good, [name]: withChange(text, at) }).status).toBe('invalid');
      }),
    );
  });

  test('does not cover the event: only the single use of its token excludes a forged one', async () => {
    const body = JSON.stringify({
      signature: good,
      'event-data': { event: 'complained', forged: true },
    });
    const verification = await receivers.email_c.verify(
      callbackOf({ headers: {}, body }),
      { signing_key: signingKey },
      noTools,
    );
    expect(verification).toEqual({ status: 'valid', token: oneTime });
  });
});
