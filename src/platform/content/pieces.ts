/** A tag or an output of Liquid, by its place in the source. */
export interface Piece {
  start: number;
  end: number;
}

/**
 * Yields the tags and outputs of a source in their order; an unclosed one is text. The time is
 * linear in the source: a pattern would search again for each missing end.
 */
export function* findPieces(source: string): Generator<Piece> {
  const next = { '{{': source.indexOf('{{'), '{%': source.indexOf('{%') };
  for (let at = 0; ;) {
    for (const opening of ['{{', '{%'] as const) {
      if (next[opening] >= 0 && next[opening] < at) next[opening] = source.indexOf(opening, at);
    }
    const opening = isBefore(next['{{'], next['{%']) ? '{{' : '{%';
    const start = next[opening];
    if (start < 0) return;
    const closing = source.indexOf(opening === '{{' ? '}}' : '%}', start + 2);
    // No later opening of this kind can be closed either.
    if (closing < 0) next[opening] = -1;
    else {
      at = closing + 2;
      yield { start, end: at };
    }
  }
}

const isBefore = (one: number, other: number) => one >= 0 && (other < 0 || one < other);

/** Tags and outputs of one source, and their characters in all: reading them costs the square. */
export const maxPieces = 500;
const maxLiquidLength = 8_000;

/** Whether a source has more of them; the rest is not read then. */
export function hasTooMuchLiquid(source: string): boolean {
  let count = 0;
  let length = 0;
  for (const { start, end } of findPieces(source)) {
    count += 1;
    length += end - start;
    if (count > maxPieces || length > maxLiquidLength) return true;
  }
  return false;
}
