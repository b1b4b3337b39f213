import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { LocalFailure } from './local-failure.ts';

export interface DownloadOptions {
  /** The service that names the archive of a version, without a trailing slash. */
  from: string;
  version: string;
  /** SHA-256 that the archive must have, by `platform-architecture` as Node.js names them. */
  digests: Readonly<Record<string, string>>;
  /** Where the program is written; `<draft>.unpack` is used meanwhile. */
  draft: string;
  onProgress: (line: string) => void;
  /** Longest wait for an answer, and for the next bytes. */
  silenceMs?: number;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const progressMs = 5_000;
/** Several times the size of the largest archive so far (55 MB). */
const maxArchiveBytes = 256 * 1024 ** 2;

/**
 * Fetches the official build as the SDK's own downloader does: one request for the address of this
 * platform's archive, then the archive, which is unpacked only when its digest is the known one.
 * Throws LocalFailure, soon where there is no way out to the network.
 */
export async function downloadTemporal(options: DownloadOptions): Promise<void> {
  const { from, version, digests, draft, onProgress, silenceMs = 15_000 } = options;
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: silenceMs },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  const unpacked = `${draft}.unpack`;
  try {
    const platform = `${process.platform}-${process.arch}`;
    const expected = digests[platform];
    if (expected === undefined) throw new Error(`no digest is known for ${platform}`);
    const signal = AbortSignal.timeout(silenceMs);
    const { archiveUrl, fileToExtract } = await askForArchive(from, version, dispatcher, signal);
    const answer = await fetch(archiveUrl, { dispatcher });
    if (!answer.ok || !answer.body) throw new Error(`${archiveUrl} answers ${answer.statusText}`);
    onProgress(`Fetching the Temporal server from ${archiveUrl}`);
    await rm(unpacked, { recursive: true, force: true });
    await mkdir(unpacked);
    const archive = join(unpacked, 'archive.tar.gz');
    const hash = createHash('sha256');
    await pipeline(
      Readable.from(answer.body),
      readArchive(hash, onProgress),
      createWriteStream(archive, { flags: 'wx' }),
    );
    const digest = hash.digest('hex');
    if (digest !== expected) {
      throw new Error(`${archiveUrl} has the SHA-256 ${digest} and must have ${expected}`);
    }
    await promisify(execFile)('tar', ['-xzf', archive, '-C', unpacked, fileToExtract]);
    await chmod(join(unpacked, fileToExtract), 0o755);
    await rename(join(unpacked, fileToExtract), draft);
  } catch (cause) {
    throw new LocalFailure(`the official build cannot be fetched (${explain(cause)})`, { cause });
  } finally {
    await rm(unpacked, { recursive: true, force: true });
    await dispatcher.destroy();
  }
}

async function askForArchive(
  from: string,
  version: string,
  dispatcher: EnvHttpProxyAgent,
  signal: AbortSignal,
) {
  const arch = architectures[process.arch];
  if (arch === undefined) throw new Error(`there is none for ${process.arch}`);
  const query = new URLSearchParams({ arch, platform: process.platform, format: 'tar.gz' });
  const url = `${from}/cli/v${version}?${query.toString()}`;
  const answer = await fetch(url, { dispatcher, signal });
  if (!answer.ok) throw new Error(`${url} answers ${String(answer.status)}`);
  const info: unknown = await answer.json();
  const read = (name: string): unknown =>
    typeof info === 'object' && info !== null ? Reflect.get(info, name) : undefined;
  const archiveUrl = read('archiveUrl');
  const fileToExtract = read('fileToExtract');
  if (typeof archiveUrl !== 'string' || typeof fileToExtract !== 'string') {
    throw new Error(`${url} gives no archive`);
  }
  // The name becomes a path and an argument.
  if (!/^[\w][\w.-]*$/.test(fileToExtract) || !archiveUrl.endsWith('.tar.gz')) {
    throw new Error(`${url} gives an unknown kind of archive`);
  }
  return { archiveUrl, fileToExtract };
}

/** Adds what passes to the digest, reports progress, and stops an archive without end. */
function readArchive(hash: Hash, onProgress: (line: string) => void) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    let reportedAtMs = Date.now();
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > maxArchiveBytes) throw new Error('the archive is too large');
      if (Date.now() - reportedAtMs > progressMs) {
        reportedAtMs = Date.now();
        onProgress(`Fetching the Temporal server: ${String(Math.round(bytes / 1e6))} MB`);
      }
      yield chunk;
    }
  };
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
