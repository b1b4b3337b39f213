/** Quantile of the normal distribution for 95 %. */
const z = 1.959964;

/** Share of those who did something. */
export interface Share {
  hits: number;
  of: number;
}

/** Wilson's interval of a share. */
function wilson({ hits, of }: Share): [low: number, high: number] {
  const p = hits / of;
  const middle = (p + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const half = (z / (1 + z ** 2 / of)) * Math.sqrt((p * (1 - p)) / of + z ** 2 / (4 * of ** 2));
  return [middle - half, middle + half];
}

/**
 * 95 % interval of the difference of two shares, by Newcombe's method 10 (Statistics in Medicine 17,
 * 1998): that of `one` minus that of `other`.
 */
export function differenceInterval(one: Share, other: Share): [low: number, high: number] {
  const [p, q] = [one.hits / one.of, other.hits / other.of];
  const [pLow, pHigh] = wilson(one);
  const [qLow, qHigh] = wilson(other);
  return [
    p - q - Math.sqrt((p - pLow) ** 2 + (qHigh - q) ** 2),
    p - q + Math.sqrt((pHigh - p) ** 2 + (q - qLow) ** 2),
  ];
}
