import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';

/** A place in a program that src/local/program.mjs has made of the sources. */
const placeInProgram = /([^\s(]+\/dist\/programs\/[^\s/]+\.cjs):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | undefined>();

/**
 * A frame of a stack with the place in the source instead of that in the program; unchanged where it
 * is not known. Node.js could do this by itself, but would read the map at each start.
 */
export function inSource(frame: string): string {
  const [place, program = '', line, column] = placeInProgram.exec(frame) ?? [];
  if (place === undefined) return frame;
  const entry = mapOf(program)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return frame;
  const { originalSource, originalLine, originalColumn } = entry;
  const source = resolve(dirname(program), originalSource);
  return frame.replace(
    place,
    `${source}:${String(originalLine + 1)}:${String(originalColumn + 1)}`,
  );
}

function mapOf(program: string): SourceMap | undefined {
  if (!maps.has(program)) maps.set(program, readMap(program));
  return maps.get(program);
}

const isMap = (value: unknown): value is SourceMapPayload =>
  typeof value === 'object' && value !== null && 'mappings' in value;

function readMap(program: string): SourceMap | undefined {
  try {
    const map: unknown = JSON.parse(readFileSync(`${program}.map`, 'utf8'));
    return isMap(map) ? new SourceMap(map) : undefined;
  } catch {
    return undefined;
  }
}
