import { createPublicKey, verify } from 'node:crypto';

/** Whether a webhook was signed with the key of `public_key`, less than five minutes ago. */
export function isOurs(publicKey, headers, body) {
  const seconds = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) <= 300)) return false;
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const content = Buffer.from(`${headers['webhook-id']}.${seconds}.${body}`);
  return headers['webhook-signature'].split(' ').some((entry) => {
    const [version, text = ''] = entry.split(',');
    return version === 'v1a' && verify(null, content, key, Buffer.from(text, 'base64'));
  });
}
