import { readFileSync } from 'node:fs';
import type { Machine } from '../world/machine.ts';

/** Resident memory of the worker. */
export function residentMb({ workers }: Machine): number {
  const [worker] = workers;
  const status = readFileSync(`/proc/${String(worker?.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
