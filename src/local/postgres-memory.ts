import { totalmem } from 'node:os';

const mebibyte = 1024 ** 2;

/**
 * What a server may take of this machine: an eighth of its memory for pages, between the 128 MB that
 * Postgres comes with and 1 GB, and fewer checkpoints than that, as imports and cohorts of a million
 * would otherwise write every page several times.
 */
export function memorySettings(): Readonly<Record<string, string>> {
  const pages = Math.min(1024, Math.max(128, Math.floor(totalmem() / 8 / mebibyte)));
  return { shared_buffers: `${String(pages)}MB`, max_wal_size: '4GB' };
}
