import { Type } from 'typebox';
import { isTimestamp } from '../platform/schema/fields.ts';
import { latestMs, toTimestamp } from '../platform/time/rules.ts';

/** Seconds since 1970; what can only be milliseconds is read as such. */
export const UnixSeconds = () =>
  Type.Integer({ minimum: 0, maximum: latestMs, description: 'Unix seconds' });

/** RFC 3339 of Unix seconds, or of milliseconds from 10^11 on. */
export function fromUnix(value: number): string {
  const ms = value >= 1e11 ? value : value * 1_000;
  return toTimestamp(Math.max(ms, 0));
}

/** The first text that is RFC 3339. */
export function firstTimestamp(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && isTimestamp(text));
}
