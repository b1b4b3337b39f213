import { toTimestamp } from '../../platform/time/rules.ts';

const hourMs = 3_600_000;

/** From a time to another, in RFC 3339; the end is not in it. */
export interface Span {
  from: string;
  to: string;
}

export interface Spans {
  /** Whole hours that are read from their sums. */
  summed: Span[];
  /** Spans that are read from the rows: the edges, the latest hours, and dirty hours. */
  live: Span[];
}

/**
 * Divides a period between sums of hours (UTC) and rows. All hours before `untilMs` are summed, but
 * for those that have changed since and begin at `changedMs`.
 */
export function divide(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  sums: { untilMs: number; changedMs: readonly number[] } | undefined,
): Spans {
  const spans: Spans = { summed: [], live: [] };
  const add = (to: Span[], startMs: number, endMs: number) => {
    if (startMs >= endMs) return;
    const [from, until] = [toTimestamp(startMs), toTimestamp(endMs)];
    const before = to.at(-1);
    if (before?.to === from) before.to = until;
    else to.push({ from, to: until });
  };
  const first = Math.ceil(fromMs / hourMs) * hourMs;
  const last = Math.max(
    first,
    Math.min(Math.floor(toMs / hourMs) * hourMs, sums?.untilMs ?? -Infinity),
  );
  add(spans.live, fromMs, Math.min(first, toMs));
  let at = first;
  for (const changed of (sums?.changedMs ?? []).toSorted((a, b) => a - b)) {
    if (changed < at || changed >= last) continue;
    add(spans.summed, at, changed);
    add(spans.live, changed, changed + hourMs);
    at = changed + hourMs;
  }
  add(spans.summed, at, last);
  add(spans.live, last, toMs);
  return spans;
}
