import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { Cells } from '../contract/cells.ts';
import { checks } from '../contract/checks.ts';
import type { Check } from '../contract/check.ts';
import { inOrder, openNeighbors } from '../contract/isolation.ts';
import type { Neighbors } from '../contract/isolation.ts';
import { isolatedEndpoints } from '../contract/scoped.ts';
import { openRows } from '../contract/team-rows.ts';
import type { Rows } from '../contract/team-rows.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import type { Choice } from './main.ts';
import { allMutants, reasonOfRedundancy } from './mutants.ts';
import type { Mutant } from './mutants.ts';
import { countsOf, forgetOthers, keepResults, readResults } from './results.ts';
import type { Result } from './results.ts';
import { installSwitches } from './switches.ts';

// One service for all mutants: the switches are in its sources, and one is off at a time.

const switches = installSwitches();
/** The first that fails is enough. */
const cells: Cells = {
  async cell(name, check) {
    try {
      await check();
    } catch (error) {
      throw new Error(name, { cause: error });
    }
  },
  settle() {},
  report() {},
};
let api: TestApi;
let rows: Rows;
/** The switch that is off during the requests of a cell. */
let active: string | undefined;

/** Applies mutants to `call` only; the unchanged service prepares the data. */
function questioning(team: TestTeam): TestTeam {
  return {
    ...team,
    call: (...request) => switches.during(active, () => team.call(...request)),
    withScopes: async (...names) => questioning(await team.withScopes(...names)),
  };
}

beforeAll(async () => {
  api = await startTestApi({}, {}, inOrder);
  rows = await openRows(api.db);
});
afterAll(async () => {
  await rows.close();
  await api.stop();
});

const choice: Choice = JSON.parse(process.env['ONWARD_MUTANTS'] ?? '{}');
const startedAt = Date.now();
const seconds = () => String(Math.round((Date.now() - startedAt) / 1_000)).padStart(4);
const note = (line: string) => process.stdout.write(`${seconds()} s  ${line}\n`);

interface Try {
  check: Check;
  endpoint: Endpoint;
}
/** A mutant, and what is known of it so far. */
interface Suspect {
  mutant: Mutant;
  tried: number;
  /** Tries that come by its switch and were not made yet. */
  waiting: Try[];
  reachedBy: Set<string>;
  killer?: string;
}

/** Reused while they are clean, no cell that used them has failed, and their quotas are not used up. */
let neighbors: Neighbors | undefined;
/** Checks of neighbors: each makes resources of its own, of which a team has at most fifty or so. */
const maxUses = 8;
let uses = 0;

/** The first cell that fails while this switch is off; undefined if all hold. */
async function failing({ check, endpoint }: Try, off?: string): Promise<string | undefined> {
  const newTeam = async (...values: Parameters<TestApi['newTeam']>) =>
    questioning(await api.newTeam(...values));
  const call: TestApi['call'] = (...request) => switches.during(active, () => api.call(...request));
  if (uses >= maxUses) neighbors = undefined;
  uses = neighbors ? uses + 1 : 1;
  neighbors ??= await openNeighbors({ ...api, call, newTeam }, rows, cells, (work) =>
    switches.during(active, work),
  );
  active = off;
  try {
    await check.run(neighbors, endpoint);
    return undefined;
  } catch (error) {
    neighbors = undefined;
    const text = error instanceof Error ? error.message : String(error);
    return text.split('\n', 1)[0] ?? '';
  } finally {
    active = undefined;
  }
}

/** Cells that fail without any mutant: they prove nothing, and the run fails. */
const broken: string[] = [];

function isFor({ check }: Try, { kind }: Mutant): boolean {
  return (check.about === 'scopes') === (kind !== 'A condition on the team');
}

function killedBy(suspect: Suspect, killer: string): void {
  suspect.killer = killer;
  note(`killed ${suspect.mutant.place} (${suspect.mutant.name}) by ${killer}`);
  keepResults([resultOf(suspect)]);
}

async function tryOn(suspect: Suspect, one: Try): Promise<void> {
  suspect.tried += 1;
  const killer = await failing(one, suspect.mutant.name);
  if (killer !== undefined) killedBy(suspect, killer);
}

/** Many cells come by some switches: more than these of one mutant wait until all was seen. */
const triesAtOnce = 4;

/** Said to be out of reach, though a request came by. */
const reachable = new Set<string>();

/** Every cell once as the service is, and right behind it with each mutant that it comes by. */
async function tryOperation(
  endpoint: Endpoint,
  suspects: ReadonlyMap<string, Suspect>,
): Promise<void> {
  neighbors = undefined;
  for (const check of checks.filter(({ appliesTo }) => appliesTo(endpoint))) {
    const one = { check, endpoint };
    switches.takeReached();
    const problem = await failing(one);
    if (problem !== undefined) {
      broken.push(problem);
      note(`FAILS WITHOUT A MUTANT ${problem}`);
      continue;
    }
    for (const name of switches.takeReached()) {
      const suspect = suspects.get(name);
      if (!suspect) reachable.add(name);
      if (!suspect || !isFor(one, suspect.mutant)) continue;
      suspect.reachedBy.add(endpoint.id);
      if (suspect.killer !== undefined) continue;
      if (suspect.tried < triesAtOnce) await tryOn(suspect, one);
      else suspect.waiting.push(one);
    }
  }
}

function resultOf({ mutant, tried, reachedBy, killer }: Suspect): Result {
  const reason = reasonOfRedundancy(mutant);
  const common = { ...mutant, reachedBy: [...reachedBy] };
  if (killer !== undefined) {
    if (reason === undefined) return { ...common, verdict: 'killed', about: `by ${killer}` };
    const about = `killed by ${killer}: take it from the list of what is redundant`;
    return { ...common, verdict: 'survived', about };
  }
  if (reason !== undefined) return { ...common, verdict: 'excused', about: reason };
  const about =
    tried === 0
      ? 'no cell reaches it: let a recipe in test/contract/recipes/ make what the statement is for'
      : `not noticed in ${String(tried)} checks of ${[...reachedBy].slice(0, 3).join(', ')}: ` +
        'give a recipe of them a scene, or say in test/mutants/mutants.ts why it is redundant';
  return { ...common, verdict: 'survived', about };
}

/** Operations whose cells are of use: all of them, unless a run before has seen who comes by. */
function operationsFor(chosen: readonly Mutant[]): readonly string[] | undefined {
  if (choice.operations) return choice.operations;
  if (choice.only === undefined) return undefined;
  const known = new Map(readResults().map(({ name, reachedBy }) => [name, reachedBy]));
  const lists = chosen.map(({ name }) => known.get(name) ?? []);
  return lists.every((list) => list.length > 0) ? lists.flat() : undefined;
}

test('no mutant survives', async () => {
  const { only, resumes } = choice;
  const { mutants, unreachable } = allMutants();
  const done = new Set(
    resumes
      ? readResults()
          .filter(({ verdict }) => verdict === 'killed')
          .map(({ name }) => name)
      : [],
  );
  const requested = mutants.filter(
    ({ name, place }) => only?.some((part) => `${place} (${name})`.includes(part)) ?? true,
  );
  const left = requested.filter(({ name }) => !done.has(name));
  const suspects = new Map(
    left.map((mutant): [string, Suspect] => [
      mutant.name,
      { mutant, tried: 0, waiting: [], reachedBy: new Set() },
    ]),
  );
  const open = () => [...suspects.values()].filter(({ killer }) => killer === undefined);

  const operations = operationsFor(left);
  const chosen = isolatedEndpoints.filter(([id]) => operations?.includes(id) ?? true);
  note(`${String(left.length)} mutants to try with ${String(chosen.length)} operations`);
  for (const [at, [id, endpoint]] of chosen.entries()) {
    const progress = `${String(at + 1)}/${String(chosen.length)}`;
    note(`${progress} ${id}, ${String(open().length)} mutants alive`);
    await tryOperation(endpoint, suspects);
  }
  for (const suspect of open()) {
    if (suspect.waiting.length > 0) note(`again ${suspect.mutant.place} (${suspect.mutant.name})`);
    for (const one of suspect.waiting) {
      if (suspect.killer === undefined) await tryOn(suspect, one);
    }
  }

  const results = [...suspects.values()].map(resultOf);
  const outside = unreachable.map(({ reason, ...mutant }): Result => {
    return { ...mutant, verdict: 'unreachable', about: reason, reachedBy: [] };
  });
  // A run of some operations only does not prove that a mutant survives.
  const isTold = ({ verdict }: Result) => !choice.operations || verdict !== 'survived';
  const isWhole = !only && !choice.operations;
  keepResults([...results.filter(isTold), ...(isWhole ? outside : [])]);
  if (isWhole) forgetOthers([...mutants, ...unreachable]);
  for (const { place, name } of unreachable) {
    if (reachable.has(name)) broken.push(`${place} (${name}) is reached, though said not to be`);
  }
  report(results, done.size);
  const survivors = results.filter(({ verdict }) => verdict === 'survived');
  expect([...survivors.map(({ place }) => place), ...broken]).toEqual([]);
});

function report(results: readonly Result[], before: number): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  for (const { place, name, verdict, about } of results) {
    if (verdict === 'excused') say(`excused ${place} (${name})  ${about}`);
  }
  const survivors = results.filter(({ verdict }) => verdict === 'survived');
  if (survivors.length > 0) say('\nSurvivors:');
  for (const { place, name, about } of survivors) say(`  ${place} (${name})\n    ${about}`);
  for (const problem of broken) say(`\nWrong without a mutant: ${problem}`);
  const { killed, survived, excused } = countsOf(results);
  const earlier = before > 0 ? `, ${String(before)} killed by a run before` : '';
  say(
    `\n${String(results.length)} mutants, ${String(killed)} killed, ${String(survived)} survived, ` +
      `${String(excused)} excused${earlier}`,
  );
}
