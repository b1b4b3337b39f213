const minuteMs = 60_000;

/** Moments at which sends of a template are granted, and the first that is left. */
export interface Slots {
  granted: readonly number[];
  nextMs: number;
}

/** Grants `count` sends at an even pace of `perMinute`, from the first moment that is left. */
export function grantSlots(
  count: number,
  perMinute: number,
  { nextMs, nowMs }: { nextMs: number; nowMs: number },
): Slots {
  const firstMs = Math.max(nextMs, nowMs);
  const stepMs = minuteMs / perMinute;
  return {
    granted: Array.from({ length: count }, (_, at) => Math.round(firstMs + at * stepMs)),
    nextMs: Math.round(firstMs + count * stepMs),
  };
}
