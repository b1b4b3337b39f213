import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from '@swc/core';

/** Checksums of the code of workflows, as the recorded histories last replayed it. */
export const workflowCodeFile = 'test/histories/code.json';

type Checksums = Readonly<Record<string, string>>;

/** Names of jobs, lanes and schedules, with the options of their activities: no replay depends on them. */
const shapes = new Set(['jobs', 'lanes', 'schedules'].map((name) => `workflows/${name}.ts`));

/** A checksum for each loop that workflows run: of all files that its code reaches. */
export function workflowChecksums(): Checksums {
  const index = readFileSync('workflows/index.ts', 'utf8');
  const loops = [
    ...new Set([...index.matchAll(/ from '\.\/([\w.-]+)'/g)].map(([, file = '']) => file)),
  ];
  const known = new Map<string, { code: string; imports: string[] }>();
  return Object.fromEntries(
    loops.map((file) => {
      const reached = [...reach(path.join('workflows', file), known)].sort();
      const hash = createHash('sha256');
      for (const one of reached) {
        if (!shapes.has(one)) hash.update(`${one}\n${known.get(one)?.code ?? ''}\n`);
      }
      return [file.replace(/\.ts$/, ''), hash.digest('hex').slice(0, 16)];
    }),
  );
}

function reach(
  file: string,
  known: Map<string, { code: string; imports: string[] }>,
  reached = new Set<string>(),
): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  const read = known.get(file) ?? readCode(file, readFileSync(file, 'utf8'));
  known.set(file, read);
  for (const imported of read.imports) reach(imported, known, reached);
  return reached;
}

/** The code without types, comments and format, and the files that it imports. */
export function readCode(file: string, text: string): { code: string; imports: string[] } {
  const { code } = transformSync(text, {
    jsc: {
      parser: { syntax: 'typescript' },
      target: 'es2022',
      minify: { compress: false, mangle: false, format: { comments: false } },
    },
    minify: true,
    isModule: true,
    configFile: false,
    swcrc: false,
  });
  const names = [...code.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)];
  return { code, imports: names.map(([, name = '']) => path.join(path.dirname(file), name)) };
}

/** Workflows whose code is not the one that the recorded histories have replayed. */
export function findChangedWorkflows(recorded: Checksums, current: Checksums): string[] {
  const types = [...new Set([...Object.keys(recorded), ...Object.keys(current)])].sort();
  const changed = types.filter((type) => recorded[type] !== current[type]);
  if (changed.length === 0) return [];
  return [
    ...changed.map((type) => `The code of workflows/${type}.ts has changed.`),
    'Open runs must replay it: put the change behind patched(), or record the histories',
    'again (RECORD_HISTORIES=1 npm test -- test/workflows) if no run of a released version is open.',
    'Then: RECORD_WORKFLOW_CODE=1 npm test -- test/workflows/replay.test.ts',
  ];
}
