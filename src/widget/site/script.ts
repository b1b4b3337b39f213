import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { browserScript } from '../../platform/content/browser-script.ts';

const names = [
  'words',
  'words-de',
  'words-es',
  'words-fr',
  'languages',
  'style',
  'dom',
  'parts',
  'model',
  'client',
  'forms',
  'challenge',
  'enrollment',
  'settings',
  'page',
  'steps',
  'frame',
  'watch',
  'show',
  'main',
];
const parts = [
  '../../platform/schema/safe-url.ts',
  '../../platform/schema/direction.ts',
  '../../platform/cut-text.ts',
  '../../platform/content/contrast.ts',
  '../../platform/content/tokens.ts',
  '../../platform/content/brand.ts',
  ...names.map((name) => `../script/${name}.ts`),
].map((path) => new URL(path, import.meta.url));

/** /widget.js */
export const widgetScript = browserScript(parts);

/** Scripts of earlier releases, each a file `<hash>.txt`, for the pages that have pinned them. */
export const releases = new URL('./releases/', import.meta.url);

/** The name of a script's address, which never means another text. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The `integrity` of a script (Subresource Integrity). */
export const integrityOf = (text: string) =>
  `sha384-${createHash('sha384').update(text).digest('base64')}`;

/** The script of a hash: that of now, or of a release; undefined where there is none. */
export async function scriptByHash(hash: string): Promise<string | undefined> {
  const { text } = await widgetScript();
  if (hashOf(text) === hash) return text;
  return (await (released ??= readReleases(releases))).get(hash);
}

let released: Promise<Map<string, string>> | undefined;

/** The scripts in a folder by their hashes; there is no folder before the first release. */
export async function readReleases(folder: URL): Promise<Map<string, string>> {
  const files = await readdir(folder).catch(() => []);
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  return new Map(texts.map((text) => [hashOf(text), text]));
}
