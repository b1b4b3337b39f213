import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { receiverKinds } from '../../src/inbound/receiver.ts';
import type { ReceiverKind } from '../../src/inbound/receiver.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { account, busToken, busTools } from './a-bus.ts';
import { codeOf, receiversPath } from './a-receiver.ts';
import { createProvider } from './a-provider.ts';
import { leaf, toolsWith } from './a-topic.ts';

let api: TestApi;
let team: TestTeam;
let isAway = false;

beforeAll(async () => {
  const tools = toolsWith(leaf());
  const verificationTools = {
    ...tools,
    fetchKeySet: busTools.fetchKeySet,
    fetchCertificate: (url: string) =>
      isAway ? Promise.reject(new Error('away')) : tools.fetchCertificate(url),
  };
  api = await startTestApi({}, { verificationTools });
  team = await api.newTeam();
});
afterAll(() => api.stop());

const aProvider = (kind: ReceiverKind) => createProvider(api, team, kind);

describe.each(receiverKinds)('a callback of %s', (kind) => {
  test('is accepted once with the provider’s own signature', async () => {
    const provider = await aProvider(kind);
    const sample = await provider.sample();
    expect(codeOf(await provider.send(sample))).toBe('200 accepted');
    expect(codeOf(await provider.send(sample))).toBe('200 duplicate');
    expect(await provider.delivery()).toMatchObject({
      mode: kind === 'generic_hmac' ? 'normalized' : 'native',
      signature_status: 'verified',
      // The file is on a server that the service cannot read.
      status: kind === 'file_transfer_a' ? 'failed' : 'processed',
      duplicate_count: 1,
    });
  });

  test('of another receiver is refused', async () => {
    const [one, other] = [await aProvider(kind), await aProvider(kind)];
    // The signature of a topic does not cover an address; the receiver checks the pinned topic.
    if (kind === 'email_a' || kind === 'file_transfer_a') return;
    expect(codeOf(await other.send(await one.sample()))).toBe('401 signature_invalid');
  });
});

describe('a bus without its own tokens is authenticated by a token of the receiver', () => {
  const staticToken = { receiver_kind: 'push_a', verification: { profile: 'static_token' } };
  const make = async (body: object = staticToken) => {
    const { status, body: made } = await team.post(receiversPath, body);
    expect(status).toBe(201);
    return made;
  };
  const settingsOf = async ({ id }: { id: string }) =>
    (await team.get(`${receiversPath}/${id}/verification`)).body;
  const rotate = async ({ id }: { id: string }, body: object = {}) =>
    (await team.post(`${receiversPath}/${id}/rotate-secret`, body)).body.secrets;
  const messageOf = async ({ receive_url: url }: { receive_url: string }) =>
    receivers.push_a.sample('delivered', {
      ...{ url, nowMs: Date.now() },
      settings: { receiver_tokens: ['none'] },
    });
  /** Sends a message of its own, unless one is given. */
  const send = async (
    receiver: { receive_url: string },
    headers: Record<string, string>,
    message?: string,
  ) => {
    const raw = message ?? (await messageOf(receiver)).body;
    const named = { 'Content-Type': 'application/json', ...headers };
    return codeOf(
      await api.call('POST', new URL(receiver.receive_url).pathname, { raw, headers: named }),
    );
  };
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  test('in either header, and each message counts once', async () => {
    const receiver = await make();
    const { receiver_token: token } = receiver.secrets;
    expect(token).toMatch(/^dors_[\w-]{43}$/);
    expect(receiver.verification).toMatchObject({
      ...{ profile: 'static_token', scheme: 'shared_secret_bearer', status: 'configured' },
      accepted_headers: ['authorization', 'x-do-receiver-token'],
    });
    const { body } = await messageOf(receiver);
    expect(await send(receiver, bearer(token), body)).toBe('200 accepted');
    expect(await send(receiver, { 'X-DO-Receiver-Token': token }, body)).toBe('200 duplicate');
    const list = await team.get(`/v2/webhooks/inbound/${String(receiver.id)}/deliveries`);
    expect(list.body.data).toMatchObject([
      { mode: 'native', signature_status: 'verified', status: 'processed', duplicate_count: 1 },
    ]);
    expect(JSON.stringify(list.body)).not.toContain(token);
  });

  test('and by no other token', async () => {
    const [receiver, other] = [await make(), await make()];
    const { receiver_token: token } = receiver.secrets;
    const aud = receiver.receive_url;
    const now = Math.floor(Date.now() / 1_000);
    const ofTheBus = await busToken({ aud, iat: now, exp: now + 60 });
    for (const [headers, verdict] of [
      [{}, '401 signature_missing'],
      [bearer(ofTheBus), '401 signature_missing'],
      [bearer(`${String(token)}x`), '401 signature_invalid'],
      [bearer(String(token).slice(0, -1)), '401 signature_invalid'],
      [bearer(other.secrets.receiver_token), '401 signature_invalid'],
      [bearer('dors_'), '401 signature_invalid'],
      [{ ...bearer(token), 'X-DO-Receiver-Token': 'dors_x' }, '401 signature_invalid'],
    ] as const) {
      expect([verdict, await send(receiver, headers)]).toEqual([verdict, verdict]);
    }
    // A token in a URL appears in logs.
    const { pathname } = new URL(`${receiver.receive_url}?token=${String(token)}`);
    const query = await api.call('POST', `${pathname}?token=${String(token)}`, {
      raw: (await messageOf(receiver)).body,
    });
    expect(codeOf(query)).toBe('401 signature_missing');
  });

  test('and by the previous one for a day after a rotation, unless the rotation is forced', async () => {
    const receiver = await make();
    const { receiver_token: first } = receiver.secrets;
    const { receiver_token: second } = await rotate(receiver);
    expect(second).not.toBe(first);
    expect(await send(receiver, bearer(first))).toBe('200 accepted');
    expect(await send(receiver, bearer(second))).toBe('200 accepted');
    const { receiver_token: third } = await rotate(receiver, { force: true });
    expect(await send(receiver, bearer(first))).toBe('401 signature_invalid');
    expect(await send(receiver, bearer(second))).toBe('200 accepted');
    expect(await send(receiver, bearer(third))).toBe('200 accepted');
  });

  test('also if the profile is set later, and a rotation creates the token', async () => {
    const receiver = await make({
      receiver_kind: 'push_a',
      verification: { service_account_email: account, subscription: 'projects/a/subscriptions/b' },
    });
    expect(receiver.secrets).not.toHaveProperty('receiver_token');
    await team.patch(`${receiversPath}/${String(receiver.id)}/verification`, {
      profile: 'static_token',
    });
    expect(await settingsOf(receiver)).toMatchObject({ status: 'unconfigured' });
    expect(await send(receiver, bearer('dors_x'))).toBe('401 signature_invalid');
    const { receiver_token: token } = await rotate(receiver);
    expect(await settingsOf(receiver)).toMatchObject({ status: 'configured' });
    // The subscription remains pinned.
    expect(await send(receiver, bearer(token))).toBe('401 signature_invalid');
    const { body } = await messageOf(receiver);
    const pinned = { ...JSON.parse(body), subscription: 'projects/a/subscriptions/b' };
    expect(await send(receiver, bearer(token), JSON.stringify(pinned))).toBe('200 accepted');
  });
});

describe('a body that a relay unwrapped, with its envelope', () => {
  const unwrapped = async (provider: Awaited<ReturnType<typeof aProvider>>) => {
    const envelope = JSON.parse((await provider.sample()).body);
    const bytes = Buffer.from(JSON.stringify(envelope));
    const callback = {
      url: '',
      headers: {},
      bytes,
      json: envelope,
      form: undefined,
      receivedAtMs: 0,
    };
    const [item] = receivers.email_a.read(callback, {}) as any[];
    return { ...item.payload, raw_topic_envelope: envelope };
  };

  test('is accepted with the signature of the envelope', async () => {
    const provider = await aProvider('email_a');
    const body = JSON.stringify(await unwrapped(provider));
    expect(codeOf(await provider.send({ headers: {}, body }))).toBe('200 accepted');
    expect(await provider.delivery()).toMatchObject({
      mode: 'normalized_enveloped',
      signature_status: 'verified',
    });
  });

  test.each([
    ['says more', { do_contact_id: '0b1e7c9a-5a1d-4a55-9d52-0d6b6a4b1a02' }],
    ['says other', { email_a_event_type: 'Complaint' }],
    ['has one that is not signed', { raw_topic_envelope: { a: 1 } }],
  ])('is refused if it %s', async (_, changes) => {
    const provider = await aProvider('email_a');
    const body = JSON.stringify({ ...(await unwrapped(provider)), ...changes });
    expect(codeOf(await provider.send({ headers: {}, body }))).toBe('401 signature_invalid');
  });
});

test('an unavailable certificate makes the answer 503, so that the provider sends again', async () => {
  const provider = await aProvider('email_a');
  const sample = await provider.sample();
  isAway = true;
  const reply = await provider.send(sample).finally(() => (isAway = false));
  expect(codeOf(reply)).toBe('503 unavailable');
  expect(reply.headers.get('retry-after')).toBe('30');
  expect(codeOf(await provider.send(sample))).toBe('200 accepted');
});
