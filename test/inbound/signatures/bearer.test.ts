import { UnsecuredJWT, exportSPKI, generateKeyPair } from 'jose';
import { OAuth2Client } from 'google-auth-library';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { receivers } from '../../../src/inbound/receivers.ts';
import type { VerificationTools } from '../../../src/inbound/receiver.ts';
import { verifyOidcBearer } from '../../../src/inbound/signatures/oidc-bearer.ts';
import { verifySharedSecret } from '../../../src/inbound/signatures/shared-secret-bearer.ts';
import { account, busToken, busTools, issuerKeys, keySet } from '../a-bus.ts';
import { callbackOf, noTools, nowMs, nowSeconds, receiveUrl, withChange } from '../a-callback.ts';

const settings = { service_account_email: account };

async function judge(
  token: string,
  given: { settings?: object; tools?: VerificationTools; at?: number; url?: string } = {},
) {
  const { tools = busTools, at = nowMs, url = receiveUrl } = given;
  const callback = callbackOf(
    { headers: { authorization: `Bearer ${token}` }, body: '{}' },
    { receivedAtMs: at, url },
  );
  return (await verifyOidcBearer(callback, given.settings ?? settings, tools)).status;
}

describe('a token of the message bus', () => {
  test('is valid, also for the provider’s library', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const token = await busToken({ iat: now, exp: now + 3_600 });
    expect(await judge(token, { at: Date.now() })).toBe('valid');
    const pem = await exportSPKI(issuerKeys.publicKey);
    const client = new OAuth2Client();
    const issuers = ['https://accounts.google.com'];
    const ticket = await client.verifySignedJwtWithCertsAsync(
      token,
      { one: pem },
      receiveUrl,
      issuers,
    );
    expect(ticket.getPayload()?.email).toBe(account);
    await expect(
      client.verifySignedJwtWithCertsAsync(
        withChange(token, token.length - 9),
        { one: pem },
        receiveUrl,
        issuers,
      ),
    ).rejects.toThrow();
  });

  test('is valid with either name of the issuer, and for a query in the address', async () => {
    expect(await judge(await busToken({ iss: 'accounts.google.com' }))).toBe('valid');
    expect(await judge(await busToken(), { url: `${receiveUrl}?x=1` })).toBe('valid');
  });

  test('is valid only for the audience of the settings', async () => {
    const audience = { ...settings, audience: 'onward' };
    expect(await judge(await busToken({ aud: 'onward' }), { settings: audience })).toBe('valid');
    expect(await judge(await busToken(), { settings: audience })).toBe('invalid');
  });

  test('of another customer of the bus is refused if no account is pinned', async () => {
    const token = await busToken({ aud: 'onward' });
    expect(await judge(token, { settings: { audience: 'onward' } })).toBe('invalid');
    expect(await judge(await busToken(), { settings: {} })).toBe('invalid');
  });

  test.each([
    [
      'unsigned',
      () => new UnsecuredJWT({ iss: 'accounts.google.com', exp: nowSeconds + 60 }).encode(),
      'invalid',
    ],
    ['expired', () => busToken({ exp: nowSeconds - 301 }), 'expired'],
    ['malformed', () => 'a.b.c', 'missing'],
  ])('that is %s is refused without a key', async (_, make, verdict) => {
    const away = () => Promise.reject(new Error('no key can be fetched'));
    const tools = { ...busTools, fetchKeySet: away };
    expect(await judge(await make(), { tools })).toBe(verdict);
    await expect(judge(await busToken(), { tools })).rejects.toThrow('no key can be fetched');
  });

  test.each([
    ['of another account', { email: 'eve@evil.iam.gserviceaccount.com' }, 'invalid'],
    ['of an account in capitals', { email: account.toUpperCase() }, 'invalid'],
    ['of an address that nobody verified', { email_verified: false }, 'invalid'],
    ['of an address verified in words', { email_verified: 'true' }, 'invalid'],
    ['without an address', { email: undefined }, 'invalid'],
    ['for another receiver', { aud: receiveUrl.replace('1111', '2222') }, 'invalid'],
    ['for a longer address', { aud: `${receiveUrl}/` }, 'invalid'],
    ['for nobody', { aud: undefined }, 'invalid'],
    ['without an end', { exp: undefined }, 'invalid'],
    ['without a beginning', { iat: undefined }, 'invalid'],
    ['with an end in words', { exp: 'never' as any }, 'invalid'],
    ['that ended five minutes ago', { exp: nowSeconds - 299 }, 'valid'],
    ['that ended longer ago', { exp: nowSeconds - 301 }, 'expired'],
    ['that begins in five minutes', { iat: nowSeconds + 300 }, 'valid'],
    ['that begins later', { iat: nowSeconds + 301 }, 'expired'],
    ['that is not yet to be used', { nbf: nowSeconds + 400 }, 'invalid'],
    ['of another issuer', { iss: 'https://accounts.google.com.evil.example' }, 'missing'],
    ['of ours', { iss: 'https://api.example.com' }, 'missing'],
    ['of nobody', { iss: undefined }, 'missing'],
  ])('%s has the expected result', async (_, claims, status) => {
    expect(await judge(await busToken(claims))).toBe(status);
  });

  test('of another key, algorithm or none is refused', async () => {
    const stranger = await generateKeyPair('RS256');
    expect(await judge(await busToken({}, { key: stranger.privateKey }))).toBe('invalid');
    const elliptic = await generateKeyPair('ES256');
    expect(await judge(await busToken({}, { key: elliptic.privateKey, alg: 'ES256' }))).toBe(
      'invalid',
    );
    const pss = await generateKeyPair('PS256');
    expect(await judge(await busToken({}, { key: pss.privateKey, alg: 'PS256' }))).toBe('invalid');
    // The public key as a shared secret
    const secret = new TextEncoder().encode(JSON.stringify(keySet.keys[0]));
    expect(await judge(await busToken({}, { key: secret, alg: 'HS256' }))).toBe('invalid');
    const none = new UnsecuredJWT({
      iss: 'https://accounts.google.com',
      aud: receiveUrl,
      email: account,
      email_verified: true,
      iat: nowSeconds,
      exp: nowSeconds + 60,
    }).encode();
    expect(await judge(`${none}x`)).toBe('invalid');
    expect(['missing', 'invalid']).toContain(await judge(none));
  });

  test('with an unknown key causes exactly one more fetch', async () => {
    const asked: unknown[] = [];
    const tools = (known: object) => ({
      ...busTools,
      fetchKeySet: async (want?: { fresh: boolean }) => {
        asked.push(want?.fresh);
        return Promise.resolve(want?.fresh ? (known as any) : { keys: [] });
      },
    });
    expect(await judge(await busToken(), { tools: tools(keySet) })).toBe('valid');
    expect(asked).toEqual([false, true]);
    expect(await judge(await busToken({}, { kid: 'two' }), { tools: tools(keySet) })).toBe(
      'invalid',
    );
    expect(asked).toHaveLength(4);
  });

  test('is not accepted while its keys are unavailable', async () => {
    await expect(judge(await busToken(), { tools: noTools })).rejects.toThrow('not asked for');
  });

  test.each(['', 'x', 'a.b.c', 'a..b', `${'a'.repeat(9_000)}.b.c`, 'dors_x'])(
    'as %j counts as missing',
    async (token) => {
      expect(await judge(token)).toBe('missing');
    },
  );

  test('with one changed character is refused', async () => {
    const token = await busToken();
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (at) => {
        const changed = withChange(token, at);
        // The last character of a part has bits that count for nothing.
        fc.pre(!/^(\.|$)/.test(token.slice((at % token.length) + 1, (at % token.length) + 2)));
        expect(await judge(changed)).not.toBe('valid');
      }),
    );
  });

  test('of another subscription is refused if one is pinned', async () => {
    const { push_a: pushA } = receivers;
    const sample = await pushA.sample('sent', {
      url: receiveUrl,
      settings: { bus_token: await busToken() },
      nowMs,
    });
    const verify = async (subscription: string) =>
      (await pushA.verify(callbackOf(sample), { ...settings, subscription }, busTools)).status;
    expect(await verify('projects/sample/subscriptions/onward')).toBe('valid');
    expect(await verify('projects/sample/subscriptions/other')).toBe('invalid');
  });

  test('authenticates an unwrapped body', async () => {
    const headers = { authorization: `Bearer ${await busToken()}` };
    const callback = callbackOf({ headers, body: '{"kind":"push_a"}' });
    expect(receivers.push_a.isNative(callback)).toBe(false);
    expect((await receivers.push_a.verify(callback, settings, busTools)).status).toBe('valid');
  });
});

describe('a secret in a header', () => {
  const live = ['dors_new', 'dors_old'];
  const judgeHeaders = (headers: Record<string, string>, secrets = live) =>
    verifySharedSecret(callbackOf({ headers, body: '{}' }), secrets).status;

  test.each<[string, Record<string, string>, string]>([
    ['the new one', { authorization: 'Bearer dors_new' }, 'valid'],
    ['the old one, while both live', { authorization: 'Bearer dors_old' }, 'valid'],
    ['in small letters', { authorization: 'bearer dors_new' }, 'valid'],
    ['in the other header', { 'x-do-receiver-token': 'dors_new' }, 'valid'],
    ['wrong', { authorization: 'Bearer dors_other' }, 'invalid'],
    ['truncated', { authorization: 'Bearer dors_ne' }, 'invalid'],
    ['longer', { authorization: 'Bearer dors_new1' }, 'invalid'],
    ['in capitals', { authorization: 'Bearer dors_NEW' }, 'invalid'],
    ['with a space', { authorization: 'Bearer dors_new ' }, 'invalid'],
    ['empty in the other header', { 'x-do-receiver-token': '' }, 'invalid'],
    [
      'wrong in the other header, beside a good one',
      { 'x-do-receiver-token': 'x', authorization: 'Bearer dors_new' },
      'invalid',
    ],
    ['of another make', { authorization: 'Bearer eyJhbGciOi.x.y' }, 'missing'],
    ['of another scheme', { authorization: 'Basic dors_new' }, 'missing'],
    ['absent', {}, 'missing'],
  ])('%s is %s', (_, headers, status) => {
    expect(judgeHeaders(headers)).toBe(status);
  });

  test('is refused if the receiver has none, or an empty one', () => {
    expect(judgeHeaders({ authorization: 'Bearer dors_new' }, [])).toBe('invalid');
    expect(judgeHeaders({ 'x-do-receiver-token': '' }, [''])).toBe('invalid');
  });

  test.each([
    [86_400, 'valid'],
    [86_401, 'expired'],
    [-300, 'valid'],
    [-301, 'expired'],
  ])('admits an event that is %s s old: %s', async (age, status) => {
    const { push_b: pushB } = receivers;
    const secret = { receiver_tokens: ['dors_new'] };
    const sample = await pushB.sample('clicked', { url: receiveUrl, settings: secret, nowMs });
    const at = { receivedAtMs: nowMs + age * 1_000 };
    expect((await pushB.verify(callbackOf(sample, at), secret, noTools)).status).toBe(status);
  });

  test.each([
    [604_800, 'valid'],
    [604_801, 'expired'],
    [-300, 'valid'],
    [-301, 'expired'],
  ])('admits a message of a bus that is %s s old: %s', async (age, status) => {
    const { push_a: pushA } = receivers;
    const secret = { profile: 'static_token', receiver_tokens: ['dors_new'] };
    const sample = await pushA.sample('delivered', { url: receiveUrl, settings: secret, nowMs });
    const at = { receivedAtMs: nowMs + age * 1_000 };
    expect((await pushA.verify(callbackOf(sample, at), secret, noTools)).status).toBe(status);
  });
});
