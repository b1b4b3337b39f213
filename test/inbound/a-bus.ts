import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { VerificationTools } from '../../src/inbound/receiver.ts';
import { noTools, nowSeconds, receiveUrl } from './a-callback.ts';

/** A message bus whose issuer is a key pair of ours. */

export const account = 'push@sample.iam.gserviceaccount.com';
export const issuerKeys = await generateKeyPair('RS256');
export const keySet = {
  keys: [{ ...(await exportJWK(issuerKeys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
};
export const busTools: VerificationTools = {
  ...noTools,
  fetchKeySet: () => Promise.resolve(keySet),
};

export async function busToken(
  claims: Record<string, unknown> = {},
  { key = issuerKeys.privateKey as any, alg = 'RS256', kid = 'one' } = {},
): Promise<string> {
  return new SignJWT({
    iss: 'https://accounts.google.com',
    aud: receiveUrl,
    azp: '1234567890',
    email: account,
    email_verified: true,
    sub: '1234567890',
    iat: nowSeconds,
    exp: nowSeconds + 3_600,
    ...claims,
  })
    .setProtectedHeader({ alg, kid, typ: 'JWT' })
    .sign(key);
}
