import { totalmem } from 'node:os';

const mebibyte = 1024 ** 2;

/**
 * Memory settings of the server. Its page cache is an eighth of the machine's memory, between 128
 * MB (the default of Postgres) and 1 GB. Checkpoints are rarer than by default, because large
 * imports and cohorts would otherwise write every page several times.
 */
export function memorySettings(): Readonly<Record<string, string>> {
  const pages = Math.min(1024, Math.max(128, Math.floor(totalmem() / 8 / mebibyte)));
  return { shared_buffers: `${String(pages)}MB`, max_wal_size: '4GB' };
}
