import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const directory = new URL('../histories/', import.meta.url).pathname;

/** Keeps a run as test/histories/<name>.json when RECORD_HISTORIES is set, to be replayed ever after. */
export async function recordHistory(handle: WorkflowHandle, name: string): Promise<void> {
  if (process.env['RECORD_HISTORIES'] === undefined) return;
  const file = join(directory, `${name}.json`);
  await mkdir(dirname(file), { recursive: true });
  const json: unknown = JSON.parse(
    historyToJSON(await handle.fetchHistory()),
    (key, value: unknown) => (key === 'identity' ? 'worker' : key === 'stackTrace' ? '' : value),
  );
  await writeFile(file, `${JSON.stringify(json, null, 1)}\n`);
}

/** Every recorded run, by its name. */
export async function recordedHistories(): Promise<{ workflowId: string; history: unknown }[]> {
  const names = await readdir(directory, { recursive: true });
  const files = names.filter((name) => /[\\/].+\.json$/.test(name)).sort();
  return Promise.all(
    files.map(async (name) => {
      const history: unknown = JSON.parse(await readFile(join(directory, name), 'utf8'));
      return { workflowId: name.replace(/\.json$/, ''), history };
    }),
  );
}
