import { expect, test } from '@jest/globals';
import {
  urlParamsHeader,
  urlParamsHmac,
  verifyUrlParams,
} from '../../src/inbound/signatures/url-params-hmac-sha1.ts';
import { callbackOf, receiveUrl } from '../inbound/a-callback.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

const auth_token = '0123456789abcdef0123456789abcdef';
const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };

function formOf(names: number): URLSearchParams {
  return new URLSearchParams(
    Array.from({ length: names }, (_, at): [string, string] => [at.toString(36), 'x']),
  );
}

function judge(form: URLSearchParams) {
  const headers = { 'content-type': formHeaders['Content-Type'] };
  const signature = urlParamsHmac(auth_token, receiveUrl, form);
  const signed = { ...headers, [urlParamsHeader]: signature };
  return verifyUrlParams(callbackOf({ headers: signed, body: form.toString() }), { auth_token });
}

test('a form with 16,000 names is refused before it is sorted and signed', async () => {
  const team = await api.newTeam();
  const { path } = await aReceiver(api, team, {
    receiver_kind: 'sms_a',
    verification: { auth_token },
  });
  const raw = formOf(16_000).toString().slice(0, 65_000);
  const headers = { ...formHeaders, [urlParamsHeader]: 'x' };
  const reply = await api.call('POST', `${path}?a=1%27`, { raw, headers });
  expect(reply.status).toBe(401);
  expect(reply.body.errors).toMatchObject([
    { code: 'signature_invalid', detail: 'The form has more than 200 parameters.' },
  ]);
});

test('a valid signature does not admit a form with more than 200 parameters', () => {
  expect(judge(formOf(200)).status).toBe('valid');
  expect(judge(formOf(201)).status).toBe('invalid');
});
