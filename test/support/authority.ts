import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { issueCertificate } from '../platform/egress/certificate.ts';

export interface Credentials {
  /** PEM. */
  certificate: string;
  key: string;
}

export interface Authority {
  certificate: string;
  /** A certificate for one DNS name, which is also its common name. */
  issue(name: string, notAfter?: Date): Credentials;
}

/** A certificate authority of a test. */
export function newAuthority(name: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, privateKey: own.privateKey };
  return {
    certificate: issueCertificate({ name, publicKey: own.publicKey, issuer, isAuthority: true }),
    issue(subject, notAfter) {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const certificate = issueCertificate({
        name: subject,
        publicKey: createPublicKey(privateKey),
        issuer,
        ...(notAfter && { notAfter }),
      });
      return { certificate, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
    },
  };
}
