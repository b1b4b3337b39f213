import { readFile } from 'node:fs/promises';
import { transform } from '@swc/wasm-typescript';
import { contentTag } from '../http/content-tag.ts';

export interface BrowserScript {
  text: string;
  /** Changes with the text. */
  etag: string;
}

/**
 * Builds a script for browsers from parts in TypeScript, each after the parts that it uses. The
 * types are removed, and the parts share one private scope. The script is built at the first call.
 * `before` makes what comes in front of the parts, from their text.
 */
export function browserScript(
  parts: readonly URL[],
  before: (text: string) => string = () => '',
): () => Promise<BrowserScript> {
  let made: Promise<BrowserScript> | undefined;
  return () => (made ??= makeScript(parts, before));
}

async function makeScript(
  parts: readonly URL[],
  before: (text: string) => string,
): Promise<BrowserScript> {
  const names = new Set(parts.map(String));
  const texts = await Promise.all(parts.map((at) => plainPart(at, names)));
  const joined = texts.join('\n');
  const text = `(() => {\n'use strict';\n${before(joined)}${joined}\n})();\n`;
  return { text, etag: contentTag(text) };
}

/**
 * A part as plain JavaScript; its imports come before it, so that import statements are removed.
 */
async function plainPart(at: URL, names: ReadonlySet<string>): Promise<string> {
  const source = await readFile(at, 'utf8');
  const { code: plain } = await transform(source, { mode: 'strip-only', module: true });
  for (const [, from = ''] of plain.matchAll(/^import [^;]* from '(\.[^']*)';$/gm)) {
    if (!names.has(String(new URL(from, at)))) throw new Error(`${from} is no part of the script`);
  }
  return (
    plain
      .replaceAll(/^import [^;]*;$/gm, '')
      .replaceAll(/^export \{\};?$/gm, '')
      .replaceAll(/^export (?=(async )?(function|const|class|let) )/gm, '')
      .replaceAll(/^\s*(\/\/.*|\/\*\*[^]*?\*\/)$/gm, '')
      .replaceAll(/^[ \t]+|[ \t]+$/gm, '')
      .replaceAll(/\n{2,}/g, '\n')
      .replaceAll(/(?<=[([{,])\n/g, '')
      // Types leave spaces; those of a text stay.
      .replaceAll(/^[^'"`\n]+/gm, (code) => code.replaceAll(/ {2,}/g, ' '))
      .trim()
  );
}
