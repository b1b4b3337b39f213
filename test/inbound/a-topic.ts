import { createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { issueCertificate } from '../platform/egress/certificate.ts';
import type { CertificateOptions } from '../platform/egress/certificate.ts';
import type { VerificationTools } from '../../src/inbound/receiver.ts';
import { stringToSign } from '../../src/inbound/signatures/topic-x509.ts';
import type { TopicEnvelope } from '../../src/inbound/signatures/topic-x509.ts';

/** A certificate authority of our own and a topic service that it knows. */

export const topicArn = 'arn:aws:sns:us-east-1:123456789012:onward';
export const certificateUrl =
  'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem';
export const issuerUrl = 'http://crt.r2m09.amazontrust.com/r2m09.cer';

export function createAuthority(name: string, issuer?: { name: string; privateKey: any }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const self = { name, privateKey };
  const pem = issueCertificate({ name, publicKey, issuer: issuer ?? self, isAuthority: true });
  return { ...self, pem };
}

export const root = createAuthority('Test Root');
export const intermediate = createAuthority('Test Intermediate', root);
export const stranger = createAuthority('Test Root');

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const topicKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The topic service's certificate, with changes. */
export function leaf(changes: Partial<CertificateOptions> = {}): string {
  return issueCertificate({
    name: 'sns.amazonaws.com',
    publicKey: createPublicKey(privateKey),
    issuer: root,
    ...changes,
  });
}

/** The signing settings of the topic, for samples. */
export const topicSigning = {
  topic_arns: [topicArn],
  private_key: topicKey,
  certificate_url: certificateUrl,
};

/** The signed body of a notification of the topic, or of a confirmation request with the fields. */
export function fromTopic(
  Type: TopicEnvelope['type'],
  fields: Readonly<Record<string, string>>,
): string {
  const envelope = {
    Type,
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Message: 'You have chosen to subscribe to the topic.',
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    ...fields,
  };
  const signature = sign('sha256', Buffer.from(stringToSign(envelope, Type) ?? ''), topicKey);
  return JSON.stringify({ ...envelope, Signature: signature.toString('base64') });
}

export interface FakeTools extends VerificationTools {
  /** Requested addresses. */
  asked: string[];
}

/** Tools that serve this file at every address. */
export function toolsWith(pem: string, issuerDer?: Buffer): FakeTools {
  const asked: string[] = [];
  return {
    asked,
    trustedRoots: [root.pem],
    async fetchCertificate(url) {
      asked.push(url);
      return Promise.resolve(pem);
    },
    async fetchIssuer(url) {
      asked.push(url);
      return issuerDer ? Promise.resolve(issuerDer) : Promise.reject(new Error('away'));
    },
    fetchKeySet: () => Promise.reject(new Error('not asked for')),
  };
}
