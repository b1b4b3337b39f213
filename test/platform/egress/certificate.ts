import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  const header = length < 128 ? [length] : long;
  return Buffer.concat([Buffer.from([tag, ...header]), content]);
}

const generalizedTime = (date: Date) =>
  der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`));

const ECDSA_WITH_SHA256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const AUTHORITY_INFORMATION = Buffer.from('06082b06010505070101', 'hex');
const CA_ISSUERS = Buffer.from('06082b06010505073002', 'hex');

const extension = (id: Buffer, content: Buffer) => der(0x30, id, der(0x04, content));
const distinguishedName = (name: string) =>
  der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(name)))));

export interface CertificateOptions {
  /** The DNS name, or what an authority is called. */
  name: string;
  publicKey: KeyObject;
  issuer: { name: string; privateKey: KeyObject };
  notBefore?: Date;
  notAfter?: Date;
  isAuthority?: boolean;
  /** The URL that it names for the certificate of its issuer. */
  issuerUrl?: string;
}

/** A certificate (RFC 5280) that an elliptic key signs; PEM. */
export function issueCertificate(options: CertificateOptions): string {
  const { name, publicKey, issuer, isAuthority = false, issuerUrl } = options;
  const { notBefore = new Date('2020-01-01'), notAfter = new Date('2099-01-01') } = options;
  const extensions = [
    ...(isAuthority
      ? [extension(BASIC_CONSTRAINTS, der(0x30, der(0x01, Buffer.from([255]))))]
      : [extension(SUBJECT_ALTERNATIVE_NAME, der(0x30, der(0x82, Buffer.from(name))))]),
    ...(issuerUrl === undefined
      ? []
      : [
          extension(
            AUTHORITY_INFORMATION,
            der(0x30, der(0x30, CA_ISSUERS, der(0x86, Buffer.from(issuerUrl)))),
          ),
        ]),
  ];
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer.name),
    der(0x30, generalizedTime(notBefore), generalizedTime(notAfter)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, issuer.privateKey));
  const body = der(0x30, toBeSigned, ECDSA_WITH_SHA256, signature).toString('base64');
  const lines = body.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A self-signed certificate for one DNS name, valid until `notAfter`. */
export function selfSigned(name: string, notAfter = new Date('2099-01-01')) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = createPublicKey(privateKey);
  const cert = issueCertificate({ name, publicKey, issuer: { name, privateKey }, notAfter });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
}
