import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a webhook was signed with the secret, less than five minutes ago. */
export function isOurs(secret, headers, body) {
  const seconds = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) <= 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${seconds}.${body}`)
    .digest();
  return headers['webhook-signature'].split(' ').some((entry) => {
    const [version, text = ''] = entry.split(',');
    const sent = Buffer.from(text, 'base64');
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}
