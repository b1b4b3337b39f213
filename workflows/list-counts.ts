/** Counts by name as text, the largest first; those of 0 are left out. */
export function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${String(count)} ${name}`)
    .join(', ');
}

/**
 * The teams that a lane was busiest for, by its last activity that did something: one that found
 * nothing to do says nothing new.
 */
export function createTeamsLine(): (teams?: Readonly<Record<string, number>>) => string {
  let line = '';
  return (teams = {}) => {
    const busiest = listCounts(teams);
    if (busiest !== '') line = ` Busiest teams: ${busiest}.`;
    return line;
  };
}
