import { createHash } from 'node:crypto';

/**
 * The variant that a contact has of a message: always the same, and of many contacts each variant
 * gets as many as its share of all weights. Undefined where the message has none.
 */
export function variantOf(
  variants: readonly { key: string; weight: number }[],
  messageId: string,
  contactId: string,
): string | undefined {
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return undefined;
  const digest = createHash('sha256').update(`${messageId} ${contactId}`).digest();
  let place = digest.readUInt32BE(0) % sum;
  for (const { key, weight } of variants) {
    if (place < weight) return key;
    place -= weight;
  }
  return undefined;
}
