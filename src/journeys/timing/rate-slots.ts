const minuteMs = 60_000;

/** Duration of `count` sends at a rate of `perMinute`, in milliseconds. */
export const slotsMs = (count: number, perMinute: number) => (count * minuteMs) / perMinute;

/** The moments of `count` sends at an even pace of `perMinute`, of which the first is `firstMs`. */
export function grantSlots(count: number, perMinute: number, firstMs: number): number[] {
  return Array.from({ length: count }, (_, at) => Math.round(firstMs + slotsMs(at, perMinute)));
}
