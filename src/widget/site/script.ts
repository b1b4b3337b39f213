import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { transform } from '@swc/wasm-typescript';

/** The parts of the script, each behind those that it uses. */
const parts = [
  'words',
  'style',
  'dom',
  'model',
  'client',
  'challenge',
  'settings',
  'page',
  'show',
  'main',
];

export interface Script {
  text: string;
  /** Changes with the text. */
  etag: string;
}

let made: Promise<Script> | undefined;

/** /widget.js: the parts without their types, one behind the other, in a scope of their own. */
export function widgetScript(): Promise<Script> {
  made ??= makeScript();
  return made;
}

async function makeScript(): Promise<Script> {
  const texts = await Promise.all(parts.map(plainPart));
  const text = `(() => {\n'use strict';\n${texts.join('\n')}\n})();\n`;
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

/** A part as plain JavaScript; what it imports stands before it, so that nothing is left to do. */
async function plainPart(name: string): Promise<string> {
  const source = await readFile(new URL(`../script/${name}.ts`, import.meta.url), 'utf8');
  const { code } = await transform(source, { mode: 'strip-only', module: true });
  return code
    .replaceAll(/^import [^;]*;$/gm, '')
    .replaceAll(/^export \{\};?$/gm, '')
    .replaceAll(/^export (?=(async )?(function|const|class|let) )/gm, '')
    .replaceAll(/^\s*(\/\/.*|\/\*\*.*\*\/)$/gm, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}
