import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { verifySignature } from '@vonage/jwt';
import { SignJWT, UnsecuredJWT } from 'jose';
import { receivers } from '../../../src/inbound/receivers.ts';
import { signJwt, verifySignedJwt } from '../../../src/inbound/signatures/signed-jwt.ts';
import { callbackOf, noTools, nowMs, nowSeconds, withChange } from '../a-callback.ts';

const secret = 'signature-secret-of-the-account';
const body = JSON.stringify({ message_uuid: 'aaaa', status: 'delivered' });
const hashOf = (text: string) => hash('sha256', text);

async function judge(
  token: string,
  given: { body?: string; at?: number; secret?: string; maxAge?: number } = {},
) {
  const callback = callbackOf(
    { headers: { authorization: `Bearer ${token}` }, body: given.body ?? body },
    { receivedAtMs: given.at ?? nowMs },
  );
  const verification = await verifySignedJwt(callback, {
    signature_secret: given.secret ?? secret,
    ...(given.maxAge !== undefined && { max_age_seconds: given.maxAge }),
  });
  return verification.status;
}

const claims = (more: object = {}) => ({
  iat: nowSeconds,
  jti: 'one',
  payload_hash: hashOf(body),
  ...more,
});
const signed = (payload: Record<string, unknown>, alg = 'HS256', key = secret) =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));

describe('a token over the body', () => {
  test('that the service signs is valid for the provider’s library, and a changed one is not', async () => {
    const token = await signJwt(secret, body, 'one', nowMs);
    expect(verifySignature(token, secret)).toBe(true);
    expect(verifySignature(withChange(token, token.length - 9), secret)).toBe(false);
    expect(await judge(token)).toBe('valid');
    expect(await judge(withChange(token, token.length - 9))).toBe('invalid');
  });

  test.each([
    [300, 'valid'],
    [301, 'expired'],
    [-300, 'valid'],
    [-301, 'expired'],
  ])('that is %s s old is %s', async (age, status) => {
    expect(await judge(await signed(claims()), { at: nowMs + age * 1_000 })).toBe(status);
  });

  test('may be older if the receiver permits it', async () => {
    const at = nowMs + 3_600_000;
    expect(await judge(await signed(claims()), { at, maxAge: 3_600 })).toBe('valid');
  });

  test.each([
    ['about other bytes', { payload_hash: hashOf(`${body} `) }],
    ['about no bytes', { payload_hash: undefined }],
    ['about bytes that it does not name as text', { payload_hash: [hashOf(body)] }],
    ['without a time', { iat: undefined }],
    ['with a time in words', { iat: 'now' }],
  ])('%s is refused', async (_, more) => {
    expect(await judge(await signed(claims(more)))).toBe('invalid');
  });

  test('is refused with another secret, another algorithm, or no signature', async () => {
    expect(await judge(await signed(claims(), 'HS256', 'another-secret-of-them'))).toBe('invalid');
    expect(await judge(await signed(claims(), 'HS512'))).toBe('invalid');
    expect(await judge(new UnsecuredJWT(claims()).encode())).toBe('invalid');
    expect(await judge(await signed(claims()), { secret: '' })).toBe('invalid');
  });

  test('does not authenticate a changed body', async () => {
    expect(
      await judge(await signed(claims()), { body: body.replace('delivered', 'rejected') }),
    ).toBe('invalid');
  });

  test('is required by its profile only', async () => {
    const callback = callbackOf({
      headers: { authorization: `Bearer ${await signed(claims())}` },
      body,
    });
    const judged = (settings: Record<string, unknown>) =>
      receivers.sms_b.verify(callback, settings, noTools);
    expect(await judged({ profile: 'vonage_jwt', signature_secret: secret })).toEqual({
      status: 'valid',
    });
    expect(await judged({ signature_secret: secret })).toEqual({ status: 'missing' });
  });
});
