import { spawn } from 'node:child_process';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { LocalFailure } from './local-failure.ts';

export interface DownloadOptions {
  /** The service that names the archive of a version, without a trailing slash. */
  from: string;
  version: string;
  /** Where the program is written; `<draft>.unpack` is used meanwhile. */
  draft: string;
  onProgress: (line: string) => void;
  /** Longest wait for an answer, and for the next bytes. */
  silenceMs?: number;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const progressMs = 5_000;

/**
 * Fetches the official build as the SDK's own downloader does: one question for the archive of this
 * platform, then the archive. Throws LocalFailure, soon where there is no way out to the network.
 */
export async function downloadTemporal(options: DownloadOptions): Promise<void> {
  const { from, version, draft, onProgress, silenceMs = 15_000 } = options;
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: silenceMs },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  const unpacked = `${draft}.unpack`;
  try {
    const signal = AbortSignal.timeout(silenceMs);
    const { archiveUrl, fileToExtract } = await askForArchive(from, version, dispatcher, signal);
    const answer = await fetch(archiveUrl, { dispatcher });
    if (!answer.ok || !answer.body) throw new Error(`${archiveUrl} answers ${answer.statusText}`);
    onProgress(`Fetching the Temporal server from ${archiveUrl}`);
    await rm(unpacked, { recursive: true, force: true });
    await mkdir(unpacked);
    const tar = spawn('tar', ['-xzf', '-', '-C', unpacked, fileToExtract], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise<boolean>((resolve) => {
      tar.once('error', () => {
        resolve(false);
      });
      tar.once('close', (code) => {
        resolve(code === 0);
      });
    });
    await pipeline(Readable.from(answer.body), countBytes(onProgress), tar.stdin);
    if (!(await ended)) throw new Error('the archive cannot be unpacked');
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

function countBytes(onProgress: (line: string) => void) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    let saidAt = Date.now();
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (Date.now() - saidAt > progressMs) {
        saidAt = Date.now();
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
