import { Type } from 'typebox';
import { isRecord } from '../../inbound/read-json.ts';
import type { ReceiverDefinition, ReceiverKind } from '../../inbound/receiver.ts';
import { callLocal } from '../../local/call.ts';
import type { Api } from '../api.ts';
import { createSampleKeys } from './sample-keys.ts';

/** Where samples go, and what signs them. */
export interface SampleTarget {
  /** The receiver's address, as configured at the provider. */
  url: string;
  settings: Readonly<Record<string, unknown>>;
}

const Created = Type.Object({
  receive_url: Type.String(),
  secrets: Type.Object({
    relay_secret: Type.String(),
    receiver_token: Type.Optional(Type.String()),
  }),
});

/** A receiver of the kind, with fresh keys where a provider of it may have any. */
export async function makeReceiver(api: Api, kind: ReceiverKind): Promise<SampleTarget> {
  const { verification, signing } = createSampleKeys(kind);
  const body = { receiver_kind: kind, name: 'Samples of npm run inbound', verification };
  const path = '/v2/partner/incoming-webhook-receivers';
  const { receive_url: url, secrets } = await api.post(path, body, Created);
  const { relay_secret, receiver_token } = secrets;
  return {
    url,
    settings: {
      ...signing,
      relay_secrets: [relay_secret],
      ...(receiver_token !== undefined && { receiver_tokens: [receiver_token] }),
    },
  };
}

/** Secrets that are the provider's own. */
const theirs: Partial<Record<ReceiverKind, string>> = {
  email_b: 'private_key',
  email_c: 'signing_key',
  sms_a: 'auth_token',
  sms_b: 'private_key',
};

/** The setting for a secret, by the kind of the receiver; tokens of the service have a prefix. */
export function secretSetting(kind: ReceiverKind, secret: string): Record<string, unknown> {
  if (secret.startsWith('dors_')) return { receiver_tokens: [secret] };
  const name = secret.startsWith('whsec_') ? undefined : theirs[kind];
  return name === undefined ? { relay_secrets: [secret] } : { [name]: secret };
}

/** Sends a sample; resolves with the answer, throws LocalFailure with it when it is a refusal. */
export async function sendSample(
  definition: ReceiverDefinition,
  event: string,
  { url, settings }: SampleTarget,
  nowMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { headers, body, query = '' } = await definition.sample(event, { url, settings, nowMs });
  const sent = { 'content-type': 'application/json', ...headers };
  const answer = await callLocal(url + query, { method: 'POST', headers: sent, body });
  return isRecord(answer) ? answer : { answer };
}
