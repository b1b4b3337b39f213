import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** A directory of this test file's own, that other users can enter, removed when the file is done. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'onward-local-'));
  afterAll(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}
