import { createHash } from 'node:crypto';

export interface Random {
  /** From `low`, up to but not including `high`. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  /** A stream of its own, so that what runs at the same time draws the same numbers every time. */
  fork(name: string): Random;
}

/** Numbers that a seed decides. */
export function seeded(seed: string): Random {
  // mulberry32 on the first 32 bits of a hash.
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (low, high) => low + next() * (high - low),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    fork: (name) => seeded(`${seed} ${name}`),
  };
}
