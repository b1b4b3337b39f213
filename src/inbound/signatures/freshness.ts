import type { Verification } from '../receiver.ts';

/** Maximum lead of a sender's clock, and the default maximum age of a signature. */
export const toleranceSeconds = 300;

/** Unix seconds as digits; undefined for any other spelling. */
export function unixSeconds(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** The last word on a signature that is good but for its age; both limits are still good. */
export function checkAge(
  provenAtSeconds: number,
  receivedAtMs: number,
  maxAgeSeconds = toleranceSeconds,
): Verification {
  const age = Math.floor(receivedAtMs / 1_000) - provenAtSeconds;
  if (age > maxAgeSeconds) {
    return { status: 'expired', detail: `The signature is older than ${maxAgeSeconds} seconds.` };
  }
  if (age < -toleranceSeconds) {
    return { status: 'expired', detail: 'The signature is from the future; check the clock.' };
  }
  return { status: 'valid' };
}

export function invalid(detail: string): Verification {
  return { status: 'invalid', detail };
}

export const missing: Verification = { status: 'missing' };
