import { readFileSync } from 'node:fs';
import type { Machine } from '../world/machine.ts';

/** Resident memory of the first worker, or of the first API. */
export function residentMb({ workers, apis }: Machine, of: 'worker' | 'api' = 'worker'): number {
  const [first] = of === 'worker' ? workers : apis;
  const status = readFileSync(`/proc/${String(first?.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
