/** Counts by name as text, the largest first; those of 0 are left out. */
export function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${String(count)} ${name}`)
    .join(', ');
}
