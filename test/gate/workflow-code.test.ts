import { expect, test } from '@jest/globals';
import { findChangedWorkflows, readCode, workflowChecksums } from './workflow-code.ts';

test('a changed, a new and a removed workflow are named with what to do', () => {
  const recorded = { kept: 'a', changed: 'b', removed: 'c' };
  const lines = findChangedWorkflows(recorded, { kept: 'a', changed: 'x', added: 'd' });
  expect(lines.slice(0, 3).map((line) => /workflows\/(\w+)\.ts has/.exec(line)?.[1])).toEqual([
    'added',
    'changed',
    'removed',
  ]);
  expect(lines.join(' ')).toContain('patched()');
  expect(findChangedWorkflows(recorded, recorded)).toEqual([]);
});

test('comments, types and format leave the code as it is, statements do not', () => {
  const read = (text: string) => readCode('workflows/one.ts', text);
  const first = read("import { a } from './a.ts';\nexport const b = { a, c: 1 };");
  const same = read(
    "import { a } from './a.ts';\nimport type { T } from './t.ts';\n// Why.\nexport const b: T = {\n  a,\n  c: 1,\n};",
  );
  expect(same).toEqual(first);
  expect(first.imports).toEqual(['workflows/a.ts']);
  expect(read("import { a } from './a.ts';\nexport const b = { a, c: 2 };")).not.toEqual(first);
});

test('every loop of workflows has a checksum', () => {
  const checksums = workflowChecksums();
  expect(checksums).toHaveProperty('run-job');
  expect(new Set(Object.values(checksums)).size).toBe(Object.keys(checksums).length);
});
