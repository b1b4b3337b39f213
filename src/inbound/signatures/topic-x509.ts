import { verify } from 'node:crypto';
import type { X509Certificate } from 'node:crypto';
import { isTimestamp } from '../../platform/schema/fields.ts';
import { accountOf } from '../confirmation/rules.ts';
import { isRecord, textAt } from '../read-json.ts';
import type { Callback, Verification, VerificationTools } from '../receiver.ts';
import { leadsToRoot, readCertificates } from './certificate-chain.ts';
import { invalid, checkAge, missing } from './freshness.ts';
import { strictBase64 } from './same-text.ts';
import { topicHostNames } from './topic-hosts.ts';
import { parseUrl } from '../../platform/schema/rules.ts';

/** Fields of the string to sign, in its order. */
const notificationFields = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const confirmationFields = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
];
const digests = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
]);
const agreeingHeaders = {
  'x-amz-sns-message-type': 'Type',
  'x-amz-sns-message-id': 'MessageId',
  'x-amz-sns-topic-arn': 'TopicArn',
};

/** The notification of a topic: what its signature covers. */
export interface TopicEnvelope {
  type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  messageId: string;
  topicArn: string;
  message: string;
  timestamp: string;
  subscribeUrl: string | undefined;
}

interface SignedEnvelope extends TopicEnvelope {
  signed: string;
  signature: Buffer;
  digest: string;
  certificateUrl: URL;
}

export interface TopicSettings {
  topic_arns?: readonly string[];
  topic_account_id?: string;
  allow_signature_version_1?: boolean;
  max_age_seconds?: number;
}

/** Retries of a topic end within an hour, and keep the first attempt's timestamp. */
export const topicMaxAgeSeconds = 4_200;

export function isTopicEnvelope(json: unknown): boolean {
  return textAt(json, 'TopicArn') !== undefined && textAt(json, 'Type') !== undefined;
}

const certificatePath = /^\/SimpleNotificationService-[0-9A-Za-z]{1,64}\.pem$/;

/** An https address of the topic service itself, spelt as it spells them; nothing else. */
function topicUrl(text: string | undefined): URL | undefined {
  if (text === undefined || !/^https:\/\/[a-z0-9.-]+\/[\x21-\x7e]*$/.test(text)) return undefined;
  if (text.includes('\\') || text.includes('#')) return undefined;
  const url = parseUrl(text);
  return url && topicHostNames(url.hostname) && url.href === text ? url : undefined;
}

function certificateUrlOf(text: string | undefined): URL | undefined {
  const url = topicUrl(text);
  // Compared whole, as a lone question mark is no part of `search`.
  return url && certificatePath.test(url.pathname) && text === url.origin + url.pathname
    ? url
    : undefined;
}

/** The address that confirms a subscription, if it is one. */
export function confirmationUrl(text: string | undefined): string | undefined {
  const url = topicUrl(text);
  const isOne = url?.pathname === '/' && url.searchParams.get('Action') === 'ConfirmSubscription';
  return isOne ? url.href : undefined;
}

function typeOf(json: unknown): TopicEnvelope['type'] | undefined {
  const type = textAt(json, 'Type');
  switch (type) {
    case 'Notification':
    case 'SubscriptionConfirmation':
    case 'UnsubscribeConfirmation':
      return type;
    default:
      return undefined;
  }
}

/**
 * The lines that are signed. Only `Message` may have line breaks: elsewhere they would let one
 * signed text be read as other fields.
 */
export function stringToSign(json: unknown, type: TopicEnvelope['type']): string | undefined {
  if (!isRecord(json)) return undefined;
  let text = '';
  for (const name of type === 'Notification' ? notificationFields : confirmationFields) {
    if (name === 'Subject' && !Object.hasOwn(json, name)) continue;
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    if (typeof value !== 'string' || (name !== 'Message' && /[\r\n]/.test(value))) return undefined;
    text += `${name}\n${value}\n`;
  }
  return text;
}

function readSigned(json: unknown): SignedEnvelope | string {
  const type = typeOf(json);
  const envelope = readTopicEnvelope(json);
  const signed = type && stringToSign(json, type);
  if (!envelope || signed === undefined) return 'The envelope lacks a field that is signed.';
  if (!isTimestamp(envelope.timestamp)) return 'The Timestamp of the envelope is malformed.';
  const digest = digests.get(textAt(json, 'SignatureVersion') ?? '');
  if (digest === undefined) return 'The SignatureVersion is none of 1 and 2.';
  const signature = strictBase64(textAt(json, 'Signature') ?? '');
  if (signature === undefined) return 'The Signature is not base64.';
  const certificateUrl = certificateUrlOf(textAt(json, 'SigningCertURL'));
  if (certificateUrl === undefined) return 'The SigningCertURL is no address of the topic service.';
  return { ...envelope, signed, signature, digest, certificateUrl };
}

/** The envelope without any verification of its signature. */
export function readTopicEnvelope(json: unknown): TopicEnvelope | undefined {
  const type = typeOf(json);
  const messageId = textAt(json, 'MessageId');
  const topicArn = textAt(json, 'TopicArn');
  const message = textAt(json, 'Message');
  const timestamp = textAt(json, 'Timestamp');
  if (!type || !messageId || !topicArn || message === undefined || !timestamp) return undefined;
  return {
    type,
    messageId,
    topicArn,
    message,
    timestamp,
    subscribeUrl: textAt(json, 'SubscribeURL'),
  };
}

/** Certificates name the service in the partition, or its host in the region. */
function isNamedFor(leaf: X509Certificate, host: string): boolean {
  const names = topicHostNames(host) ?? [];
  return names.some((name) => leaf.checkHost(name, { wildcards: false }) !== undefined);
}

async function signingCertificate(
  url: URL,
  tools: VerificationTools,
  atMs: number,
): Promise<X509Certificate | undefined> {
  const certificates = readCertificates(await tools.fetchCertificate(url.href));
  const leaf = certificates?.[0];
  if (!certificates || !leaf || !isNamedFor(leaf, url.hostname)) return undefined;
  if (leaf.publicKey.asymmetricKeyType !== 'rsa') return undefined;
  return (await leadsToRoot(certificates, tools, atMs)) ? leaf : undefined;
}

/**
 * Verifies the X.509 signature over a topic's envelope. A valid signature only proves that some
 * account sent it, so the topic must be one of `topic_arns`. A first subscription confirmation may
 * arrive before any are set. Checks without I/O come before the fetch of the certificate. Throws if
 * the fetch fails.
 */
export async function verifyTopic(
  { headers, receivedAtMs }: Callback,
  json: unknown,
  settings: TopicSettings,
  tools: VerificationTools,
): Promise<Verification> {
  if (!isTopicEnvelope(json)) return missing;
  const envelope = readSigned(json);
  if (typeof envelope === 'string') return invalid(envelope);
  if (envelope.digest === 'sha1' && settings.allow_signature_version_1 !== true) {
    return invalid('The SignatureVersion is 1 (SHA-1), which the receiver does not allow.');
  }
  for (const [header, field] of Object.entries(agreeingHeaders)) {
    if (headers[header] !== undefined && headers[header] !== textAt(json, field)) {
      return invalid(`The header ${header} disagrees with the envelope.`);
    }
  }
  const topics = settings.topic_arns ?? [];
  const { topic_account_id: account } = settings;
  if (account !== undefined && accountOf(envelope.topicArn) !== account) {
    return invalid('The topic is not one of the receiver’s topic_account_id.');
  }
  const isQuestion = topics.length === 0 && envelope.type === 'SubscriptionConfirmation';
  if (!topics.includes(envelope.topicArn) && !isQuestion) {
    return invalid('The topic is none of the receiver’s topic_arns.');
  }
  const certificate = await signingCertificate(envelope.certificateUrl, tools, receivedAtMs);
  if (!certificate) return invalid('The signing certificate is not one of the topic service.');
  const isGood = verify(
    envelope.digest,
    Buffer.from(envelope.signed),
    certificate.publicKey,
    envelope.signature,
  );
  if (!isGood) return invalid('The signature does not match the envelope.');
  return checkAge(
    Math.floor(Date.parse(envelope.timestamp) / 1_000),
    receivedAtMs,
    settings.max_age_seconds ?? topicMaxAgeSeconds,
  );
}
