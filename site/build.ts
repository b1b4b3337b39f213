import { fork } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LocalFailure } from '../src/local/local-failure.ts';
import { assemblePages } from './assemble.ts';
import { iconFile } from '../src/meta/local-pages/icon.ts';
import { compressFiles } from './compress.ts';
import { digestName } from './digest.ts';
import type { SiteOptions } from './options.ts';
import { writePlainText } from './plain-text.ts';
import { readFacts } from './site-facts.ts';
import { writeTryPage } from './try-page.ts';

const root = fileURLToPath(new URL('./', import.meta.url));
/** What the generator reads; builds follow one another. */
const pages = fileURLToPath(new URL('../dist/site-pages/', import.meta.url));
/** Requests to be imported into other programs. */
const collections = fileURLToPath(new URL('../docs/collections/', import.meta.url));

/** Builds the site next to its folder and then replaces the folder as a whole. */
export async function buildSite(options: SiteOptions, digest: string): Promise<void> {
  const { folder } = options;
  const building = `${folder}.building`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  assemblePages(pages, options);
  await runGenerator(building, options);
  writeTryPage(building, options);
  writeMovedPages(building, options);
  writePlainText(pages, building, options.base, readFacts(pages));
  cpSync(iconFile, join(building, 'favicon.ico'));
  cpSync(collections, join(building, 'collections'), { recursive: true });
  compressFiles(building);
  writeFileSync(join(building, digestName), digest);
  rmSync(folder, { recursive: true, force: true });
  renameSync(building, folder);
}

async function runGenerator(folder: string, { base, htmlLinks }: SiteOptions): Promise<void> {
  requirePackages();
  const child = fork(join(root, 'generate.mjs'), [root, folder], {
    env: {
      ...process.env,
      ...{ ONWARD_SITE_BASE: base, ONWARD_SITE_LINKS: htmlLinks ? 'html' : 'clean' },
      ONWARD_SITE_PAGES: pages,
    },
    silent: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => (output += text.toString()));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new LocalFailure(`The documentation could not be built:\n${output.trim()}`);
}

/** Addresses of earlier versions. */
const moved: Readonly<Record<string, string>> = { endpoints: 'reference' };

function writeMovedPages(folder: string, { base, htmlLinks }: SiteOptions): void {
  for (const [from, to] of Object.entries(moved)) {
    const address = `${base}${to}${htmlLinks ? '.html' : ''}`;
    writeFileSync(
      join(folder, `${from}.html`),
      `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved | Onward</title>
<script>location.replace(${JSON.stringify(address)}+location.hash)</script>
<p>This page has moved to <a href="${address}">${address}</a>.</p>
</html>
`,
    );
  }
}

function requirePackages(): void {
  try {
    createRequire(import.meta.url).resolve('vitepress/package.json');
  } catch {
    throw new LocalFailure(
      'The documentation is built with packages of development, which are not installed: run `npm ci`.',
    );
  }
}
