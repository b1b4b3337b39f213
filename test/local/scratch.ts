import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from '@jest/globals';

/** A directory of this test file's own, that other users can enter, removed when the file is done. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'onward-local-'));
  afterAll(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** Polls until `condition` holds; rejects after `withinMs`. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs = 15_000,
): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error(`not within ${String(withinMs)} ms`);
    await pause(30);
  }
}
