import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/platform/config.ts';
import { findFreePort } from '../../src/local/ports.ts';
import { isAlive, sendSignal } from '../../src/local/processes.ts';
import { downloadTemporal } from '../../src/local/temporal-download.ts';
import {
  findTemporalProgram,
  startTemporal,
  type RunningTemporal,
} from '../../src/local/temporal.ts';
import { untilTrue } from '../support/eventually.ts';
import { scratchDirectory } from './scratch.ts';

const root = scratchDirectory();
const { searchPath, cacheDirectory } = readConfig({ development: true });
const quiet = () => undefined;

/** A program that answers like `temporal` to the checks before its use. */
function writeProgram(directory: string, version: string) {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'temporal');
  const flags = '--sqlite-pragma --ui-disable-news-fetch --dynamic-config-value';
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$1" = --version ]; then echo "temporal version 1 (Server ${version}, UI 2)"; else echo "${flags}"; fi\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

describe('a local Temporal server', () => {
  let program: string;
  let server: RunningTemporal;
  const directory = join(root, 'server');
  const namespaces = () =>
    execFileSync(program, ['operator', 'namespace', 'list', '--address', server.address], {
      encoding: 'utf8',
    });

  // A first run builds the program, which takes minutes.
  beforeAll(async () => {
    program = await findTemporalProgram({ path: searchPath, cacheDirectory, onProgress: quiet });
    server = await startTemporal({
      program,
      directory,
      namespace: 'onward-test',
      searchAttributes: { TeamId: 'Keyword' },
    });
  }, 900_000);

  afterAll(async () => {
    await server.stop();
  });

  test('has its namespace and its UI when the start resolves', async () => {
    expect(namespaces()).toContain('onward-test');
    const page = await fetch(server.uiUrl);
    expect(page.status).toBe(200);
  });

  test('has a store that no other user of the machine can read', () => {
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  test('comes back by itself at the same address when it is killed', async () => {
    const { pid } = server;
    sendSignal(pid, 'SIGKILL');
    await untilTrue(() => server.pid !== pid && isAlive(server.pid));
    expect(namespaces()).toContain('onward-test');
  });
});

test('of two Temporal servers that are given the same port, only one starts', async () => {
  const port = await findFreePort();
  const program = await findTemporalProgram({
    path: searchPath,
    cacheDirectory,
    onProgress: quiet,
  });
  const starts = await Promise.allSettled(
    ['left', 'right'].map((name) =>
      startTemporal({ program, directory: join(root, name), port, namespace: name }),
    ),
  );
  const started = starts.filter((start) => start.status === 'fulfilled');
  for (const { value } of started) await value.stop();
  expect(started).toHaveLength(1);
  const failed = starts.find((start) => start.status === 'rejected');
  expect(String(failed?.reason)).toContain(`Port ${String(port)}, wanted for Temporal, is held by`);
});

describe('the search for a Temporal program', () => {
  test('uses a recent program on the PATH', async () => {
    const directory = join(root, 'new');
    const file = writeProgram(directory, '1.31.2');
    const search = { path: directory, cacheDirectory: join(root, 'none'), onProgress: quiet };
    await expect(findTemporalProgram(search)).resolves.toBe(file);
  });

  test('skips a program that is too old, and names three remedies if it finds no other', async () => {
    const directory = join(root, 'old');
    writeProgram(directory, '1.20.0');
    const lines: string[] = [];
    const search = findTemporalProgram({
      path: directory,
      cacheDirectory: join(root, 'empty'),
      downloadFrom: null,
      onProgress: (line) => lines.push(line),
    });
    await expect(search).rejects.toThrow(/TEMPORAL_ADDRESS[^]*on the PATH[^]*Go 1\.26/);
    expect(lines[0]).toMatch(/is not used: .*1\.20\.0/);
    expect(readdirSync(join(root, 'empty', 'onward'))).not.toContain('temporal-1.8.2');
  });

  test('downloads the official archive and stores the program', async () => {
    await withArchive('fetched', async ({ digest, downloadFrom, requested, cache }) => {
      const found = await findTemporalProgram({
        ...{ path: '', cacheDirectory: cache, downloadFrom, onProgress: quiet },
        digests: { [platform]: digest },
      });
      expect(found).toBe(join(cache, 'onward', 'temporal-1.8.2'));
      expect(requested[0]).toMatch(
        /^\/cli\/v1\.8\.2\?arch=(amd64|arm64)&platform=\w+&format=tar\.gz$/,
      );
    });
  });

  test('runs no program whose archive has another digest than the release', async () => {
    await withArchive('altered', async ({ downloadFrom, cache }) => {
      const lines: string[] = [];
      const search = { path: '', cacheDirectory: cache, downloadFrom };
      const found = findTemporalProgram({ ...search, onProgress: (line) => lines.push(line) });
      await expect(found).rejects.toThrow('There is no Temporal server');
      expect(lines.join('\n')).toMatch(/has the SHA-256 [0-9a-f]{64} and must have [0-9a-f]{64}/);
      expect(readdirSync(join(cache, 'onward'))).not.toContain('temporal-1.8.2');
    });
  });

  test('builds with Go when the download fails, and stores the program', async () => {
    const directory = join(root, 'go');
    const program = writeProgram(join(root, 'built'), '1.31.2');
    mkdirSync(directory);
    const go = join(directory, 'go');
    // Answers like Go; the program is "built" at the path of `-o`.
    writeFileSync(
      go,
      `#!/bin/sh
if [ "$1" = version ]; then echo "go version go1.26.8 linux/amd64"; exit; fi
while [ "$1" != -o ]; do shift; done
echo some/package >&2
cp "${program}" "$2"
`,
    );
    chmodSync(go, 0o755);
    const lines: string[] = [];
    const search = {
      path: directory,
      cacheDirectory: join(root, 'kept'),
      downloadFrom: null,
      onProgress: (line: string) => lines.push(line),
    };
    const [first, second] = await Promise.all([
      findTemporalProgram(search),
      findTemporalProgram(search),
    ]);
    expect([first, second]).toEqual(Array(2).fill(join(root, 'kept', 'onward', 'temporal-1.8.2')));
    expect(lines.filter((line) => line.startsWith('Building the Temporal server'))).toHaveLength(1);
    expect(lines.join()).toContain('1 of about 1590 packages');
  });

  test('aborts a download without a response, and leaves no file', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const directory = join(root, 'silent');
    mkdirSync(directory);
    const download = downloadTemporal({
      from: `http://127.0.0.1:${String(port)}`,
      version: '1.8.2',
      digests: { [platform]: '' },
      draft: join(directory, 'temporal'),
      onProgress: quiet,
      silenceMs: 300,
    });
    await expect(download).rejects.toThrow('the official build cannot be fetched');
    expect(readdirSync(directory)).toEqual([]);
    silent.closeAllConnections();
    silent.close();
  });
});

const platform = `${process.platform}-${process.arch}`;

interface OfferedArchive {
  /** SHA-256 of the archive. */
  digest: string;
  downloadFrom: string;
  /** Requested paths. */
  requested: string[];
  cache: string;
}

/** Serves an archive with a working program as the site of the official builds does. */
async function withArchive(name: string, work: (offered: OfferedArchive) => Promise<void>) {
  const packed = join(root, `${name}-packed`);
  writeProgram(packed, '1.31.2');
  const archive = execFileSync('tar', ['-czf', '-', '-C', packed, 'temporal']);
  const requested: string[] = [];
  const site = createServer((request, response) => {
    requested.push(request.url ?? '');
    if (request.url?.endsWith('.tar.gz')) {
      response.end(archive);
      return;
    }
    const archiveUrl = `http://${String(request.headers.host)}/files/temporal.tar.gz`;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ archiveUrl, fileToExtract: 'temporal' }));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    await work({
      digest: createHash('sha256').update(archive).digest('hex'),
      downloadFrom: `http://127.0.0.1:${String(port)}`,
      requested,
      cache: join(root, name),
    });
  } finally {
    site.close();
  }
}
