import { createSampleKeys } from './sample-keys.ts';
import type { ReceiverKind } from '../../src/inbound/receiver.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { account, busToken } from './a-bus.ts';
import { receiversPath } from './a-receiver.ts';
import { topicArn, topicSigning } from './a-topic.ts';
import { expect } from '@jest/globals';

/** A receiver, and a provider that signs for it by its own scheme. */
export async function createProvider(api: TestApi, team: TestTeam, kind: ReceiverKind) {
  const topic = { verification: { topic_arns: [topicArn] }, signing: topicSigning };
  const own: Partial<Record<ReceiverKind, { verification: object; signing: object }>> = {
    email_a: topic,
    file_transfer_a: topic,
    push_a: { verification: { service_account_email: account }, signing: {} },
  };
  const { verification, signing } = own[kind] ?? createSampleKeys(kind);
  const made = await team.post(receiversPath, { receiver_kind: kind, verification });
  expect(made.status).toBe(201);
  const { id, receive_url: url, secrets } = made.body;
  const now = Math.floor(Date.now() / 1_000);
  const settings = {
    ...signing,
    relay_secrets: [secrets.relay_secret],
    ...(secrets.receiver_token && { receiver_tokens: [secrets.receiver_token] }),
    ...(kind === 'push_a' && { bus_token: await busToken({ aud: url, iat: now, exp: now + 60 }) }),
  };
  const path = new URL(url).pathname;
  return {
    id,
    url,
    settings,
    set: async (changes: object) => {
      const changed = await team.patch(`${receiversPath}/${id}/verification`, changes);
      expect(changed.status).toBe(200);
    },
    sample: async () => {
      const definition = receivers[kind];
      const [event = ''] = definition.sampleEvents;
      return definition.sample(event, { url, settings, nowMs: Date.now() });
    },
    send: async ({
      headers,
      body,
      query = '',
    }: {
      headers: Record<string, string>;
      body: string;
      query?: string;
    }) => {
      const { 'content-type': type = 'application/json', ...others } = headers;
      const named = { ...others, 'Content-Type': type };
      return api.call('POST', path + query, { raw: body, headers: named });
    },
    delivery: async () => {
      const list = await team.get(`/v2/webhooks/inbound/${id}/deliveries?include=payload`);
      return list.body.data[0];
    },
    deliveries: async () => (await team.get(`/v2/webhooks/inbound/${id}/deliveries`)).body.data,
  };
}
