import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { receiverKinds } from '../../src/inbound/receiver.ts';
import type { ReceiverKind, SampleCallback } from '../../src/inbound/receiver.ts';
import { bodyHmac } from '../../src/inbound/signatures/body-hmac-sha256.ts';
import {
  ecdsaP256Timestamped,
  ed25519Timestamped,
  signedBytes,
} from '../../src/inbound/signatures/key-pair-timestamped.ts';
import { signStandardWebhook } from '../../src/inbound/signatures/standard-webhooks.ts';
import { urlParamsHmac } from '../../src/inbound/signatures/url-params-hmac-sha1.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { busTools } from './a-bus.ts';
import { createProvider } from './a-provider.ts';
import { codeOf } from './a-receiver.ts';
import { fromTopic, leaf, toolsWith } from './a-topic.ts';

let api: TestApi;
let team: TestTeam;
beforeAll(async () => {
  const verificationTools = { ...toolsWith(leaf()), fetchKeySet: busTools.fetchKeySet };
  api = await startTestApi({}, { verificationTools });
  team = await api.newTeam();
});
afterAll(() => api.stop());

type Provider = Awaited<ReturnType<typeof createProvider>>;
const json = 'application/json';
const formType = 'application/x-www-form-urlencoded';
const seconds = () => String(Math.floor(Date.now() / 1_000));

const signedByKeyPair =
  (scheme: typeof ed25519Timestamped) =>
  (body: string, { settings }: Provider): SampleCallback => {
    const timestamp = seconds();
    const key = createPrivateKey(String(settings.private_key));
    const signature = sign(scheme.digest, signedBytes(scheme, timestamp, body), key);
    return {
      headers: {
        'content-type': json,
        [scheme.signatureHeader]: signature.toString('base64'),
        [scheme.timestampHeader]: timestamp,
      },
      body,
    };
  };

const signedByTopic = (message: string): SampleCallback => ({
  headers: { 'content-type': 'text/plain' },
  body: fromTopic('Notification', { Message: message }),
});

const signedByAddress = (body: string, { settings, url }: Provider): SampleCallback => {
  const isForm = !/^[[{"]/.test(body);
  const hash = createHash('sha256').update(body).digest('hex');
  const query = isForm ? '' : `?bodySHA256=${hash}`;
  const form = isForm ? new URLSearchParams(body) : undefined;
  const signature = urlParamsHmac(String(settings.auth_token), `${String(url)}${query}`, form);
  const headers = { 'content-type': isForm ? formType : json, 'x-twilio-signature': signature };
  return { headers, body, query };
};

/** `SIGNED` stands for the fields of the proof. */
const signedInBody = (body: string, { settings }: Provider): SampleCallback => {
  const timestamp = seconds();
  const token = randomUUID();
  const signature = bodyHmac(String(settings.signing_key), timestamp, token);
  const proof = { timestamp, token, signature };
  const isForm = !body.startsWith('{');
  const text = isForm ? new URLSearchParams(proof).toString() : JSON.stringify(proof);
  return {
    headers: { 'content-type': isForm ? formType : json },
    body: body.replace('SIGNED', text),
  };
};

const withToken = (body: string, { settings }: Provider): SampleCallback => ({
  headers: {
    'content-type': json,
    authorization: `Bearer ${String(settings.bus_token ?? settings.receiver_tokens[0])}`,
  },
  body,
});

const signedBySender = (body: string, { settings }: Provider): SampleCallback => ({
  headers: {
    'content-type': json,
    ...signStandardWebhook(settings.relay_secrets[0], `msg_${randomUUID()}`, Date.now(), body),
  },
  body,
});

/** By kind, the provider's proof, and bodies that it proves and that no reader expects. */
const cases: Record<
  ReceiverKind,
  { signed: (body: string, provider: Provider) => SampleCallback; bodies: readonly string[] }
> = {
  email_a: { signed: signedByTopic, bodies: ['no JSON', '[1]', '{"mail":1}', '{"id":1e999}'] },
  email_b: {
    signed: signedByKeyPair(ecdsaP256Timestamped),
    bodies: ['{"event":"open"}', '"text"', '[{"event":"open"}]', '[1]', '{broken', ''],
  },
  email_c: {
    signed: signedInBody,
    bodies: ['{"signature":SIGNED}', '{"signature":SIGNED,"event-data":[1]}', 'SIGNED&event='],
  },
  sms_a: { signed: signedByAddress, bodies: ['Digits=1', '{"CallSid":"CA1"}', '[1]', '{broken'] },
  sms_b: {
    signed: signedByKeyPair(ed25519Timestamped),
    bodies: ['{"event_type":"message.sent"}', '{"data":null}', '[]', 'null', '{broken'],
  },
  push_a: { signed: withToken, bodies: ['{"message":{"data":"e30="}}', '{}', '[1]', '{broken'] },
  push_b: { signed: withToken, bodies: ['{}', '{"event":"sent"}', '[1]', '"\\u0000"'] },
  file_transfer_a: { signed: signedByTopic, bodies: ['no JSON', '{"source":"aws.s3"}'] },
  generic_hmac: {
    signed: signedBySender,
    bodies: ['[1]', '"text"', '{broken', '{"a":1,"a":2}', '7', '\u0000'],
  },
};

describe.each(receiverKinds)('a call that the provider of %s proves', (kind) => {
  const { signed, bodies } = cases[kind];
  test.each(bodies)('is stored with the body %j, which no reader expects', async (body) => {
    const provider = await createProvider(api, team, kind);
    // An account that is set must be named in each call.
    if (kind === 'sms_a') await provider.set({ account_id: null });
    const callback = signed(body, provider);
    expect(codeOf(await provider.send(callback))).toBe('200 accepted');
    expect(codeOf(await provider.send(callback))).toBe('200 duplicate');
    expect(await provider.deliveries()).toMatchObject([
      {
        status: 'failed',
        mode: 'native',
        signature_status: 'verified',
        error: { code: 'payload_unrecognised' },
        raw_available: true,
        duplicate_count: 1,
      },
    ]);
  });
});

test('a proven body that claims to be normalized must match the schema', async () => {
  for (const kind of ['sms_b', 'email_b', 'push_b', 'generic_hmac'] as const) {
    const provider = await createProvider(api, team, kind);
    const body = JSON.stringify({ kind });
    const reply = await provider.send(cases[kind].signed(body, provider));
    expect([kind, codeOf(reply)]).toEqual([kind, '422 validation_failed']);
  }
});

test('a relay may not send a body that is neither native nor normalized', async () => {
  const provider = await createProvider(api, team, 'sms_b');
  const reply = await provider.send(signedBySender('{"event_type":"message.sent"}', provider));
  expect(codeOf(reply)).toBe('422 validation_failed');
});
