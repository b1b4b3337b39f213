import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentPolicy } from '../platform/http/security-headers.ts';

/** Where `npm run site` builds. */
export const siteFolder = fileURLToPath(new URL('../../dist/site', import.meta.url));

export interface SiteFile {
  bytes: Buffer;
  /** The same, compressed by the build. */
  gzip: Buffer | undefined;
  mediaType: string;
  etag: string;
  /** The name changes with the content. */
  isImmutable: boolean;
  /** For a page, with the digests of its inline scripts. */
  policy: string | undefined;
}

export interface SiteFiles {
  /** The file at a path below /docs; undefined where there is none. */
  find(urlPath: string): Promise<SiteFile | undefined>;
  /** False until the first build has ended. */
  isBuilt(): Promise<boolean>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const hashedName = /^assets\/.*[.-][\w-]{8}(\.lean)?\.\w+$/;

interface Listing {
  version: string;
  names: ReadonlySet<string>;
  read: Map<string, Promise<SiteFile>>;
}

/**
 * The files of a built site. Only names that a listing of the folder has are read, so no path leads
 * out of it. Another build is noticed by its folder.
 */
export function openSiteFiles(folder: string): SiteFiles {
  let listing: Listing | undefined;

  async function current(): Promise<Listing | undefined> {
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) return undefined;
    const version = `${String(found.ino)}-${String(found.mtimeMs)}`;
    if (listing?.version === version) return listing;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && path.extname(entry.name) in mediaTypes)
      .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
      .map((name) => name.replaceAll(path.sep, '/'));
    listing = { version, names: new Set(names), read: new Map() };
    return listing;
  }

  return {
    async find(urlPath) {
      const files = await current();
      const requested = urlPath.replace(/^\/docs\/?/, '');
      const name = ['', '.html', 'index.html', '/index.html']
        .map((ending) => `${requested}${ending}`)
        .find((one) => files?.names.has(one));
      if (!files || name === undefined) return undefined;
      let file = files.read.get(name);
      if (!file) {
        file = readSiteFile(folder, name);
        files.read.set(name, file);
      }
      // Another build may just have replaced the folder.
      return file.catch(() => undefined);
    },
    isBuilt: async () => (await current()) !== undefined,
  };
}

async function readSiteFile(folder: string, name: string): Promise<SiteFile> {
  const at = path.join(folder, name);
  const bytes = await readFile(at);
  const isPage = name.endsWith('.html');
  return {
    bytes,
    gzip: await readFile(`${at}.gz`).catch(() => undefined),
    mediaType: mediaTypes[path.extname(name)] ?? 'application/octet-stream',
    etag: `"${digestOf(bytes)}"`,
    isImmutable: hashedName.test(name),
    policy: isPage ? policyOf(bytes.toString()) : undefined,
  };
}

function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?:\s(?!src=)[\w-]+(?:="[^"]*")?)*>([^]*?)<\/script>/g)];
  const scripts = inline.map(([, text = '']) => `'sha256-${digestOf(text, 'base64')}'`);
  return contentPolicy({
    'script-src': ["'self'", ...new Set(scripts)].join(' '),
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    'connect-src': "'self'",
  });
}

const digestOf = (content: Buffer | string, encoding: 'base64' | 'base64url' = 'base64url') =>
  createHash('sha256').update(content).digest(encoding);
