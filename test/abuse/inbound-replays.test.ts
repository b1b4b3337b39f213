import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { urlParamsHmac } from '../../src/inbound/signatures/url-params-hmac-sha1.ts';
import { signatureOf } from '../../src/webhooks/webhook-subscriptions/secrets.ts';
import { aReceiver, codeOf } from '../inbound/a-receiver.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const seconds = () => String(Math.floor(Date.now() / 1_000));
const key = 'the key of the sender';

describe('a captured call of generic_hmac', () => {
  const body = JSON.stringify({ type: 'deposit.received', data: { amount: 5 } });
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest('hex');
  const stamp = seconds();
  const timestamped = { 'x-webhook-signature': `t=${stamp},v1=${hmac(`${stamp}.${body}`)}` };
  const standardKey = Buffer.alloc(32, 7);
  const svix = {
    'svix-id': 'msg_1',
    'svix-timestamp': stamp,
    'svix-signature': signatureOf(standardKey, 'msg_1', stamp, Buffer.from(body)),
  };

  test.each([
    [
      'that signs the body alone',
      { preset: 'hex_prefixed', signing_key: key, event_id_at: 'x-event-id' },
      { 'x-hub-signature-256': `sha256=${hmac(body)}` },
      'x-event-id',
    ],
    [
      'that signs body and time',
      { preset: 'timestamped', signing_key: key, event_id_at: 'x-event-id' },
      timestamped,
      'x-event-id',
    ],
    [
      'whose id stands in the usual header',
      { preset: 'timestamped', signing_key: key },
      timestamped,
      'webhook-id',
    ],
    [
      'of the other family of headers',
      { signing_key: `whsec_${standardKey.toString('base64')}` },
      svix,
      'webhook-id',
    ],
  ])('%s is not accepted again under another id', async (_, verification, proof, header) => {
    const receiver = await aReceiver(api, team, { verification });
    const send = (headers: object) =>
      api.call('POST', receiver.path, { raw: body, headers: { ...proof, ...headers } });
    const first = await send({ [header]: 'evt_1' });
    expect(codeOf(first)).toBe('200 accepted');
    const again = await send({ [header]: 'evt_2' });
    expect(codeOf(again)).toBe('200 duplicate');
    expect(again.body.delivery_id).toBe(first.body.delivery_id);
    expect((await receiver.deliveries()).data).toHaveLength(1);
  });

  test('with a signed id is identified by that id', async () => {
    const receiver = await aReceiver(api, team, {
      verification: { preset: 'hex_prefixed', signing_key: key, event_id_at: '/id' },
    });
    const send = (event: object) => {
      const raw = JSON.stringify({ type: 'deposit.received', ...event });
      const headers = { 'x-hub-signature-256': `sha256=${hmac(raw)}` };
      return api.call('POST', receiver.path, { raw, headers });
    };
    expect(codeOf(await send({ id: 'evt_1', attempt: 1 }))).toBe('200 accepted');
    expect(codeOf(await send({ id: 'evt_1', attempt: 2 }))).toBe('200 duplicate');
    expect(codeOf(await send({ id: 'evt_2', attempt: 1 }))).toBe('200 accepted');
  });
});

test('a captured call of sms_a is not accepted again with neighboring text moved into the id', async () => {
  const receiver = await aReceiver(api, team, {
    receiver_kind: 'sms_a',
    verification: { auth_token: key },
  });
  const sid = `SM${'a1'.repeat(16)}`;
  const url = api.config.publicBaseUrl + receiver.path;
  const common = { SmsStatus: 'delivered', To: '+14155550100' };
  const signed = { MessageSid: sid, MessageStatus: 'delivered', ...common };
  const signature = urlParamsHmac(key, url, new URLSearchParams(signed));
  const send = (params: Record<string, string>) =>
    api.call('POST', receiver.path, {
      raw: new URLSearchParams(params).toString(),
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      },
    });
  expect(codeOf(await send(signed))).toBe('200 accepted');
  expect(codeOf(await send(signed))).toBe('200 duplicate');
  // The same bytes are signed: the status stands in the id.
  await send({ MessageSid: `${sid}MessageStatusdelivered`, ...common });
  const { data } = await receiver.deliveries();
  expect(data.map(({ status }: { status: string }) => status).sort()).toEqual([
    'failed',
    'processed',
  ]);
});

describe('a captured proof of email_c', () => {
  const proof = () => {
    const [timestamp, token] = [seconds(), randomUUID().replaceAll('-', '')];
    const signature = createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex');
    return { timestamp, token, signature };
  };
  const mail = (signature: object, event: string, id: string) => ({
    signature,
    'event-data': {
      ...{ id, event, timestamp: Number(seconds()), recipient: 'ada@example.com' },
      message: { headers: { 'message-id': 'm-1' } },
    },
  });
  const aPair = async (other: TestTeam) => {
    const fields = { receiver_kind: 'email_c', verification: { signing_key: key } };
    return [await aReceiver(api, team, fields), await aReceiver(api, other, fields)] as const;
  };

  test('does not authenticate another event at another receiver with the same key', async () => {
    const [first, second] = await aPair(await api.newTeam());
    const signature = proof();
    const sent = await api.call('POST', first.path, {
      body: mail(signature, 'delivered', 'event-1'),
    });
    expect(codeOf(sent)).toBe('200 accepted');
    for (const body of [
      mail(signature, 'complained', 'event-1'),
      mail(signature, 'delivered', 'event-2'),
    ]) {
      const forged = await api.call('POST', second.path, { body });
      expect(codeOf(forged)).toBe('401 signature_invalid');
    }
  });

  test('is accepted by one receiver only, if two are called with different bodies', async () => {
    const [first, second] = await aPair(team);
    const signature = proof();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        api.call('POST', at % 2 === 0 ? first.path : second.path, {
          body: mail(signature, 'delivered', `event-${String(at)}`),
        }),
      ),
    );
    expect(replies.map(codeOf).filter((code) => code === '200 accepted')).toHaveLength(1);
  });

  test('is accepted by both receivers if the provider sends the same call to both', async () => {
    const [first, second] = await aPair(team);
    const body = mail(proof(), 'delivered', 'event-1');
    expect(codeOf(await api.call('POST', first.path, { body }))).toBe('200 accepted');
    expect(codeOf(await api.call('POST', second.path, { body }))).toBe('200 accepted');
    expect(codeOf(await api.call('POST', second.path, { body }))).toBe('200 duplicate');
  });
});
