import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The verdict on a mutant. */
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

/** The newest result of each mutant in all runs. */
export function readResults(): Result[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

export function keepResults(results: readonly Result[]): void {
  const fresh = new Set(results.map(({ name }) => name));
  write([...readResults().filter(({ name }) => !fresh.has(name)), ...results]);
}

/** Drops what is known of mutants that there are no longer. */
export function forgetOthers(known: readonly Pick<Result, 'name'>[]): void {
  const names = new Set(known.map(({ name }) => name));
  write(readResults().filter(({ name }) => names.has(name)));
}

function write(results: readonly Result[]): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results, null, 1));
}

export function countsOf(results: readonly Result[]): Record<Result['verdict'], number> {
  const counts = { killed: 0, survived: 0, excused: 0, unreachable: 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}

/** The results as a page. */
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

A mutant is the service without one of the things that keep teams and scopes apart: a condition on \`team_id\` in a statement, or a check of a scope. It is killed when a cell of \`test/contract/checks.ts\`, which held just before, fails.

The service starts once, with a switch at each of these places. Each cell says which switches it comes by; with each of them off it is asked again. All of it took eight to fifteen minutes on two cores that others used as well. \`-- --only queries.ts\` tries the mutants of some files or scopes, \`-- --operation listContacts\` asks the cells of some operations alone, \`-- --resume\` leaves out what the runs before have killed (\`.onward/mutants.json\`). The command fails when a mutant survives, and says what to do: most often a recipe in \`test/contract/recipes/\` should make a richer thing, or needs a scene. What is excused, and what no request reaches, is declared with its reason in \`test/mutants/mutants.ts\`; a request that comes by all the same fails the run, and so does an excuse for a mutant that is killed.

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

They are of workers, commands, callbacks and SFTP sessions. The tests of the part are named; whether they would notice was not tried.

${listed('unreachable')}
`;
}

/** The function of a site, without its file. */
const nameIn = (name: string) =>
  name
    .split(' ')
    .slice(name.startsWith('scope ') ? 0 : 1)
    .join(' ');
