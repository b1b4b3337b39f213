import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import twilio from 'twilio/lib/webhooks/webhooks.js';
import { receivers } from '../../../src/inbound/receivers.ts';
import {
  urlParamsHmac,
  verifyUrlParams,
} from '../../../src/inbound/signatures/url-params-hmac-sha1.ts';
import { callbackOf, noTools, receiveUrl, withChange } from '../a-callback.ts';

const { getExpectedTwilioSignature, validateRequest } = twilio;
const authToken = '0123456789abcdef0123456789abcdef';
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

function judge(
  signature: string,
  url: string,
  form: URLSearchParams,
  auth_token: string | undefined = authToken,
) {
  const headers = { ...formHeaders, 'x-twilio-signature': signature };
  const callback = callbackOf({ headers, body: form.toString() }, { url });
  return verifyUrlParams(callback, auth_token === undefined ? {} : { auth_token }).status;
}

const params = {
  MessageSid: `SM${'1'.repeat(32)}`,
  MessageStatus: 'delivered',
  To: '+14155550100',
  From: '+14155550199',
};
const form = new URLSearchParams(params);
const good = getExpectedTwilioSignature(authToken, receiveUrl, params);

describe('an HMAC over address and parameters', () => {
  test('is valid for the example of the provider’s documentation', () => {
    const documented = new URLSearchParams({
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    });
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    expect(judge('RSOYDt4T1cUTdK1PDd93/VVr8B8=', url, documented, '12345')).toBe('valid');
  });

  test('is valid for the provider’s library in both directions, with any parameters', () => {
    const names = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/);
    const texts = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(
        fc.dictionary(names, fc.oneof(texts, fc.array(texts, { minLength: 1, maxLength: 3 })), {
          noNullPrototype: true,
        }),
        fc.array(fc.tuple(names, fc.stringMatching(/^[a-z0-9']{0,8}$/)), { maxLength: 3 }),
        fc.constantFrom('', ':443', ':8443'),
        (given, query, port) => {
          const pairs = query.map(([name, value]) => `${name}=${value}`).join('&');
          const url = `https://api.example.com${port}/v2/hook${pairs === '' ? '' : `?${pairs}`}`;
          const fields = new URLSearchParams();
          for (const [name, value] of Object.entries(given)) {
            for (const one of [value].flat()) fields.append(name, one);
          }
          expect(judge(getExpectedTwilioSignature(authToken, url, given), url, fields)).toBe(
            'valid',
          );
          expect(
            validateRequest(authToken, urlParamsHmac(authToken, url, fields), url, given),
          ).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['with the standard port', 'https://api.example.com/hook', 'https://api.example.com:443/hook'],
    ['without its port', 'https://api.example.com:8443/hook', 'https://api.example.com/hook'],
    [
      'with a quote as it is',
      'https://api.example.com/hook?a=%27',
      "https://api.example.com/hook?a='",
    ],
    [
      'with an encoded quote',
      "https://api.example.com/hook?a='",
      'https://api.example.com/hook?a=%27',
    ],
    [
      'with a query written by the older module',
      'https://api.example.com/hook?a=b+c',
      'https://api.example.com/hook?a=b%20c',
    ],
  ])('is valid over the address %s', (_, url, signedUrl) => {
    expect(judge(getExpectedTwilioSignature(authToken, signedUrl, params), url, form)).toBe(
      'valid',
    );
    expect(
      validateRequest(
        authToken,
        getExpectedTwilioSignature(authToken, signedUrl, params),
        url,
        params,
      ) || url.includes('%27'),
    ).toBe(true);
  });

  test.each([
    ['without the question mark that was signed', '/hook', '/hook?'],
    ['with the question mark that was signed', '/hook?', '/hook?'],
    [
      'with the ids sorted',
      '/hook?do_contact_id=c&do_journey_id=j&do_message_id=m',
      '/hook?do_message_id=m&do_contact_id=c&do_journey_id=j',
    ],
    [
      'with two ids sorted',
      '/h?do_contact_id=c&do_message_id=m',
      '/h?do_message_id=m&do_contact_id=c',
    ],
  ])('is valid over the address that was sent %s', (_, path, signedPath) => {
    const [url, signedUrl] = [path, signedPath].map((one) => `https://api.example.com${one}`);
    const signature = getExpectedTwilioSignature(authToken, signedUrl ?? '', params);
    expect(judge(signature, url ?? '', form)).toBe('valid');
  });

  test.each([
    [
      'with two ids exchanged',
      '/h?do_contact_id=m&do_message_id=c',
      '/h?do_message_id=m&do_contact_id=c',
    ],
    ['with an id more', '/h?do_contact_id=c&do_contact_id=x', '/h?do_contact_id=c'],
    ['with an empty query more', '/h?', '/h'],
  ])('is invalid over the address that was sent %s', (_, path, signedPath) => {
    const [url, signedUrl] = [path, signedPath].map((one) => `https://api.example.com${one}`);
    const signature = getExpectedTwilioSignature(authToken, signedUrl ?? '', params);
    expect(judge(signature, url ?? '', form)).toBe('invalid');
  });

  test.each([
    ['of another token', good, receiveUrl, form, 'another'],
    ['truncated', good.slice(0, -1), receiveUrl, form],
    ['empty', '', receiveUrl, form],
    ['in hex', Buffer.from(good, 'base64').toString('hex'), receiveUrl, form],
    ['of another receiver', good, receiveUrl.replace('1111-1111', '1111-2222'), form],
    ['of another host', good, receiveUrl.replace('api', 'evil'), form],
    ['of plain http', good, receiveUrl.replace('https', 'http'), form],
    ['of an address with a query', good, `${receiveUrl}?do_contact_id=1`, form],
    ['of an address with a question mark', good, `${receiveUrl}?`, form],
    ['of a path in capitals', good, receiveUrl.replace('hook', 'HOOK').replace('v2', 'V2'), form],
    [
      'with one parameter more',
      good,
      receiveUrl,
      new URLSearchParams({ ...params, ErrorCode: '1' }),
    ],
    ['with one parameter less', good, receiveUrl, new URLSearchParams({ ...params, From: '' })],
    [
      'with another status',
      good,
      receiveUrl,
      new URLSearchParams({ ...params, MessageStatus: 'failed' }),
    ],
    [
      'with a status twice',
      good,
      receiveUrl,
      new URLSearchParams([...form, ['MessageStatus', 'failed']]),
    ],
  ])('%s is refused', (_, signature, url, fields, token = authToken) => {
    expect(judge(signature, url, fields, token)).toBe('invalid');
  });

  test('is refused if the receiver has no token', () => {
    const headers = { ...formHeaders, 'x-twilio-signature': good };
    expect(verifyUrlParams(callbackOf({ headers, body: form.toString() }), {}).status).toBe(
      'invalid',
    );
    const empty = getExpectedTwilioSignature('', receiveUrl, params);
    expect(judge(empty, receiveUrl, form, '')).toBe('invalid');
  });

  test('has the status missing if it is absent', () => {
    expect(
      verifyUrlParams(callbackOf({ headers: formHeaders, body: form.toString() }), {
        auth_token: authToken,
      }).status,
    ).toBe('missing');
  });

  describe('with a JSON body', () => {
    const body = JSON.stringify(params);
    const hash = createHash('sha256').update(body).digest('hex');
    const judgeJson = (url: string, text = body) => {
      const signature = getExpectedTwilioSignature(authToken, url, {});
      const headers = { 'content-type': 'application/json', 'x-twilio-signature': signature };
      return verifyUrlParams(callbackOf({ headers, body: text }, { url }), {
        auth_token: authToken,
      }).status;
    };

    test('is valid if the address contains its hash', () => {
      expect(judgeJson(`${receiveUrl}?bodySHA256=${hash}`)).toBe('valid');
    });

    test('is refused with another body, another hash or none', () => {
      expect(judgeJson(`${receiveUrl}?bodySHA256=${hash}`, `${body} `)).toBe('invalid');
      expect(judgeJson(`${receiveUrl}?bodySHA256=${hash.toUpperCase()}`)).toBe('invalid');
      expect(judgeJson(`${receiveUrl}?bodySHA256=`)).toBe('invalid');
      expect(judgeJson(receiveUrl)).toBe('invalid');
    });
  });

  test('of another account is refused if the account is pinned', async () => {
    const { sms_a: smsA } = receivers;
    const signing = { auth_token: authToken, account_id: 'AC1' };
    const callback = callbackOf(
      await smsA.sample('sent', { url: receiveUrl, settings: signing, nowMs: 0 }),
    );
    expect((await smsA.verify(callback, signing, noTools)).status).toBe('valid');
    expect((await smsA.verify(callback, { ...signing, account_id: 'AC2' }, noTools)).status).toBe(
      'invalid',
    );
  });

  test('with one changed character of header, address or body is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom('header', 'url', 'body'), fc.nat(), (place, at) => {
        const url =
          place === 'url' ? withChange(receiveUrl, 8 + (at % (receiveUrl.length - 8))) : receiveUrl;
        const fields =
          place === 'body' ? new URLSearchParams(withChange(form.toString(), at)) : form;
        fc.pre(place !== 'url' || (URL.canParse(url) && url.toLowerCase() !== receiveUrl));
        expect(judge(place === 'header' ? withChange(good, at) : good, url, fields)).toBe(
          'invalid',
        );
      }),
    );
  });
});
