import { timingSafeEqual } from 'node:crypto';

/**
 * Compares in constant time. Encoded signatures are compared as text: decoders take many spellings
 * of the same bytes.
 */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The bytes of base64 in its one canonical spelling, else undefined. */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}
