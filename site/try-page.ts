import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openApiText } from './openapi.ts';
import type { SiteOptions } from './options.ts';

const source = new URL('./try/', import.meta.url);

/** Writes the page on which operations are tried, with the names of its files by their content. */
export function writeTryPage(folder: string, { base, htmlLinks, api = '' }: SiteOptions): void {
  const assets = join(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  const add = (name: string, text: string | Buffer) => {
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, 8);
    const hashed = name.replace(/(?=\.\w+$)/, `.${digest}`);
    writeFileSync(join(assets, hashed), text);
    return `${base}assets/${hashed}`;
  };
  const read = (name: string) => readFileSync(new URL(name, source), 'utf8');
  const values: Readonly<Record<string, string>> = {
    base,
    api,
    ending: htmlLinks ? '.html' : '',
    style: add('try.css', read('style.css')),
    start: add('try.js', read('start.js')),
    viewer: add('viewer.js', readViewer()),
    document: add('openapi.json', openApiText()),
  };
  const page = read('page.html').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the page has no value ${name}`);
    return value;
  });
  mkdirSync(join(folder, 'reference'), { recursive: true });
  writeFileSync(join(folder, 'reference', 'try.html'), page);
}

/** Scalar as one script. This package has it without the 300 packages that it was built from. */
function readViewer(): Buffer {
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return readFileSync(join(dirname(main), 'js', 'standalone.js'));
}
