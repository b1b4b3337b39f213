import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What became of a mutant. */
export interface Result {
  name: string;
  /** file:line, or the operation whose scope it is. */
  place: string;
  kind: string;
  verdict: 'killed' | 'survived' | 'excused' | 'unreachable';
  /** Who killed it, why it is excused, or what to do about it. */
  about: string;
  /** Operations whose cells come by. */
  reachedBy: string[];
}

const file = '.onward/mutants.json';

/** Of the runs so far, the newest result of each mutant. */
export function readResults(): Result[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

export function keepResults(results: readonly Result[]): void {
  const fresh = new Set(results.map(({ name }) => name));
  const kept = readResults().filter(({ name }) => !fresh.has(name));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify([...kept, ...results], null, 1));
}

export function countsOf(results: readonly Result[]): Record<Result['verdict'], number> {
  const counts = { killed: 0, survived: 0, excused: 0, unreachable: 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}

/** The page that docs/mutants.md is. */
export function pageOf(results: readonly Result[]): string {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const line = (title: string, of: readonly Result[]) => {
    const { killed, survived, excused, unreachable } = countsOf(of);
    const figures = [killed + survived + excused, killed, excused, survived, unreachable];
    return `| ${title} | ${figures.join(' | ')} |`;
  };
  const listed = (verdict: Result['verdict']) => {
    const lines = results
      .filter((result) => result.verdict === verdict)
      .map(({ place, name, about }) => `- \`${place}\` (\`${nameIn(name)}\`): ${about}`);
    return lines.length > 0 ? lines.join('\n') : 'None.';
  };
  return `# Mutants

Written by \`npm run mutants -- --record\`. A mutant is the service without one of the things that keep teams and scopes apart; it is killed when a cell of the contract suite, which held just before, fails.

| What is taken away | Mutants | Killed | Excused | Survived | No request reaches it |
| --- | --: | --: | --: | --: | --: |
${kinds
  .map((kind) =>
    line(
      kind,
      results.filter((result) => result.kind === kind),
    ),
  )
  .join('\n')}
${line('**All**', results)}

## Survived

${listed('survived')}

## Excused

They say again what something else says already, or save work, so that no answer can differ.

${listed('excused')}

## No request reaches them

The tests of the part are named.

${listed('unreachable')}
`;
}

/** What a site stands in, without its file. */
const nameIn = (name: string) =>
  name
    .split(' ')
    .slice(name.startsWith('scope ') ? 0 : 1)
    .join(' ');
