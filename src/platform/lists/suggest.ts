import { shorten } from '../cut-text.ts';
/** " Did you mean …?" if one of the candidates is close to what was sent, else nothing. */
export function suggest(sent: string, candidates: readonly string[]): string {
  if (sent === '' || sent.length > 64) return '';
  const lower = sent.toLowerCase();
  let best: string | undefined;
  let bestDistance = lower.length > 3 ? 3 : 2;
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** Text of the client, quoted and shortened for a response. */
export function quote(sent: string): string {
  return JSON.stringify(shorten(sent, 80));
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
