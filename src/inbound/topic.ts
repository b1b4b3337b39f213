import { createPrivateKey, sign, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import type { Static, TObject } from 'typebox';
import { at, parseInner, recordAt, textAt } from './read-json.ts';
import type {
  Callback,
  NativeItem,
  Verification,
  VerificationTools,
  SampleCallback,
} from './receiver.ts';
import type { ReceiverDefinition, ReceiverKind } from './receiver.ts';
import { invalid } from './signatures/freshness.ts';
import {
  confirmationUrl,
  isTopicEnvelope,
  readTopicEnvelope,
  stringToSign,
  topicMaxAgeSeconds,
  verifyTopic,
} from './signatures/topic-x509.ts';
import { asCallback, relaySample } from './relay-sample.ts';
import { topicHost } from './signatures/topic-hosts.ts';

/** Shared parts of the kinds whose callbacks come through a topic. */

const TopicSettings = Type.Object({
  topic_arns: Type.Optional(
    Type.Array(
      Type.String({ pattern: '^arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[A-Za-z0-9_.-]{1,256}$' }),
      { maxItems: 20, uniqueItems: true, description: 'The topics that may send here' },
    ),
  ),
  topic_account_id: Type.Optional(
    Type.String({ pattern: '^\\d{12}$', description: 'The account whose topics may send here' }),
  ),
  auto_confirm: Type.Optional(
    Type.Boolean({
      description:
        'Confirm and pin the first topic of topic_account_id, within 24 hours of creation',
    }),
  ),
  allow_signature_version_1: Type.Optional(
    Type.Boolean({
      description:
        'Accept SignatureVersion 1, which is SHA-1. Set the attribute SignatureVersion of the topic to 2 instead, where that is possible',
    }),
  ),
  max_age_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400 })),
});
type Settings = Readonly<Static<typeof TopicSettings>>;

export const RawTopicEnvelope = () =>
  Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The untouched envelope: its X.509 signature then proves this body',
    }),
  );

export const topicForm = {
  scheme: 'topic_x509',
  authenticationHeaders: ['x-amz-sns-message-type', 'x-amz-sns-message-id', 'x-amz-sns-topic-arn'],
  settings: TopicSettings,
  secretSettings: [],
  requiredSettings: ['topic_arns'],
  missingSettings({ auto_confirm, topic_arns, topic_account_id }) {
    const isPinned = Array.isArray(topic_arns) && topic_arns.length > 0;
    if (auto_confirm !== true || isPinned || topic_account_id !== undefined) return [];
    const detail = 'auto_confirm needs topic_account_id or topic_arns: any topic could be first.';
    return [{ name: 'topic_account_id', detail }];
  },
  defaultDedupWindowSeconds: 86_400,
  defaultMaxAgeSeconds: topicMaxAgeSeconds,
  mediaTypes: ['text/plain', 'application/json'],
  bodyLimitBytes: 1_048_576,
} satisfies Partial<ReceiverDefinition>;

interface TopicKind {
  kind: ReceiverKind;
  payload: TObject;
  /** The provider's event inside of a notification. */
  readMessage(message: unknown, topicMessageId: string): NativeItem;
  /** The provider's text that is no event, if it sends one. */
  greeting?: RegExp;
}

/** The functions of a kind that a topic carries. */
export function topicKind({ kind, payload, readMessage, greeting }: TopicKind) {
  const isNative = ({ json }: Callback) => isTopicEnvelope(json) && at(json, 'kind') !== kind;

  function readEnvelope(json: unknown): NativeItem {
    const envelope = readTopicEnvelope(json);
    if (!envelope) return { unrecognized: 'This is no envelope of a topic.' };
    const { type, messageId, topicArn, message } = envelope;
    if (type === 'UnsubscribeConfirmation') {
      return { ignored: 'The topic does not send here any more.' };
    }
    if (type === 'SubscriptionConfirmation') {
      const subscribeUrl = confirmationUrl(envelope.subscribeUrl);
      return subscribeUrl === undefined
        ? { unrecognized: 'The SubscribeURL is no address of the topic service.' }
        : { confirmation: { topicArn, subscribeUrl, messageId } };
    }
    if (greeting?.test(message)) return { ignored: 'The provider tried the topic out.' };
    const event = parseInner(message);
    if (textAt(event, 'kind') !== kind) return readMessage(event, messageId);
    return { payload: { ...recordAt(event), raw_topic_message_id: messageId } };
  }

  /** A normalized body may say nothing, among the fields we know, that its envelope does not say. */
  function isSaidBy(body: unknown, envelope: unknown): boolean {
    const item = readEnvelope(envelope);
    if (!('payload' in item)) return false;
    const names = Object.keys(payload.properties).filter((name) => name !== 'raw_topic_envelope');
    return names.every((name) => {
      const said = at(body, name);
      const isOptional = !payload.required.includes(name);
      return (said === undefined && isOptional) || isDeepStrictEqual(said, at(item.payload, name));
    });
  }

  return {
    isNative,
    read: ({ json }: Callback): NativeItem[] => [readEnvelope(json)],
    async verify(
      callback: Callback,
      settings: Settings,
      tools: VerificationTools,
    ): Promise<Verification> {
      const { json } = callback;
      if (isNative(callback)) return verifyTopic(callback, json, settings, tools);
      const envelope = recordAt(json, 'raw_topic_envelope');
      const verification = await verifyTopic(
        { ...callback, headers: {} },
        envelope,
        settings,
        tools,
      );
      if (verification.status !== 'valid' || isSaidBy(json, envelope)) return verification;
      return invalid('The body says what its envelope does not say.');
    },
  };
}

/** Topic and content of a sample to be signed. */
interface TopicSample {
  event: object;
  settings: unknown;
  url: string;
  nowMs: number;
}

/**
 * A notification, signed with `private_key` whose certificate lies at `certificate_url`; without
 * them the body that a relay would make of it.
 */
export function topicSample(
  read: (callback: Callback) => NativeItem[],
  { event, settings, url, nowMs }: TopicSample,
): SampleCallback {
  const [topicArn = 'arn:aws:sns:us-east-1:123456789012:onward-sample'] = [
    textAt(settings, 'topic_arns', 0),
  ];
  const region = topicArn.split(':')[3] ?? '';
  const envelope = {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Message: JSON.stringify(event),
    Timestamp: new Date(nowMs).toISOString(),
    SignatureVersion: '2',
    SigningCertURL:
      textAt(settings, 'certificate_url') ??
      `https://${topicHost(region)}/SimpleNotificationService-sample.pem`,
  };
  const privateKey = textAt(settings, 'private_key');
  if (privateKey === undefined) {
    return relaySample(read(asCallback(JSON.stringify(envelope), url, nowMs)), settings, nowMs);
  }
  const text = stringToSign(envelope, 'Notification') ?? '';
  const signature = sign('sha256', Buffer.from(text), createPrivateKey(privateKey));
  return {
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': envelope.Type,
      'x-amz-sns-message-id': envelope.MessageId,
      'x-amz-sns-topic-arn': envelope.TopicArn,
    },
    body: JSON.stringify({ ...envelope, Signature: signature.toString('base64') }),
  };
}
