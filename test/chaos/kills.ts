import { pause } from '../world/moments.ts';
import type { Random } from './random.ts';

/** A process that can be killed, and is restarted by its supervisor. */
export interface Victim {
  name: string;
  kill(): void;
  back(): Promise<void>;
}

export interface Pauses {
  shortestMs: number;
  maxMs: number;
}

export interface Plan {
  times: number;
  pauses: Pauses;
  random: Random;
  note: (line: string) => void;
}

/**
 * Kills one of the victims, waits until it is back and for a random while, and so on. Returns when
 * the last one was killed, by performance.now().
 */
export async function killAtRandom(
  victims: readonly Victim[],
  { times, pauses, random, note }: Plan,
): Promise<number> {
  let lastAtMs = performance.now();
  for (let kill = 0; kill < times; kill += 1) {
    await pause(random.between(pauses.shortestMs, pauses.maxMs));
    const victim = random.pick(victims);
    lastAtMs = performance.now();
    victim.kill();
    await victim.back();
    const downMs = performance.now() - lastAtMs;
    note(`${victim.name} was killed and is back after ${(downMs / 1_000).toFixed(1)} s`);
  }
  return lastAtMs;
}
