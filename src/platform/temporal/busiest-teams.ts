import { LRUCache } from 'lru-cache';

/** Teams that are counted; those that were not served for longest are forgotten. */
const counted = 1_000;
const shown = 5;

export type BusiestTeams = ReturnType<typeof createBusiestTeams>;

/** Counts whom a lane serves, so that operators see which team keeps it busy. */
export function createBusiestTeams() {
  const counts = new LRUCache<string, number>({ max: counted });
  return {
    add(teamId: string) {
      counts.set(teamId, (counts.get(teamId) ?? 0) + 1);
    },
    /** The five teams with the most, and how much. */
    top(): Record<string, number> {
      const sorted = [...counts.entries()].sort(([, one], [, other]) => other - one);
      return Object.fromEntries(sorted.slice(0, shown));
    },
  };
}
