import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { countCells } from '../contract/cells.ts';
import {
  hasIds,
  openNeighbours,
  tryIdsInBody,
  tryIdsInPath,
  tryScopes,
  tryTwin,
} from '../contract/isolation.ts';
import type { Neighbours } from '../contract/isolation.ts';
import { scopedEndpoints } from '../contract/scoped.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import type { Arguments } from './main.ts';
import { chooseMutants, equivalent } from './mutants.ts';

// One service for all mutants: each place that has one asks whether it is on.

let api: TestApi;
let neighbours: Neighbours;
const cells = countCells('mutants');
/** The mutant that is on while `isAsking`, and what was reached meanwhile. */
let active = '';
let isAsking = false;
let reached = new Set<string>();

Object.assign(globalThis, {
  onwardMutant(id: string): boolean {
    if (!isAsking) return false;
    reached.add(id);
    return id === active;
  },
});

/** What is made beforehand is made by the service as it is: mutants are on in `call` only. */
function withSwitch(team: TestTeam): TestTeam {
  return {
    ...team,
    async call(...request) {
      isAsking = true;
      try {
        return await team.call(...request);
      } finally {
        isAsking = false;
      }
    },
    withScopes: async (...names) => withSwitch(await team.withScopes(...names)),
  };
}

beforeAll(async () => {
  api = await startTestApi();
  const newTeam = async () => withSwitch(await api.newTeam());
  neighbours = await openNeighbours({ ...api, newTeam }, cells);
});
afterAll(() => api.stop());

const checks = { tryIdsInPath, tryIdsInBody, tryTwin, tryScopes };
type Check = keyof typeof checks;
const note = (line: string) => process.stdout.write(`${line}\n`);

/** The first thing that goes wrong, as one line; undefined when all is well. */
async function problemOf(check: Check, endpoint: Endpoint): Promise<string | undefined> {
  if (check === 'tryIdsInPath' && !hasIds(endpoint)) return undefined;
  try {
    await checks[check](neighbours, endpoint);
    cells.settle();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  }
}

test('every mutant is killed by the contract suite', async () => {
  const options: Arguments = JSON.parse(process.env['ONWARD_MUTANTS'] ?? '{}');
  const chosen = chooseMutants(options);
  note(`mutants seed=${options.seed} chosen=${String(chosen.length)}`);

  /** By mutant: the checks that reach it. Without a mutant all of them must hold. */
  const reachedBy = new Map<string, [check: Check, endpoint: Endpoint][]>();
  for (const [id, endpoint] of scopedEndpoints) {
    for (const check of ['tryTwin', 'tryIdsInPath', 'tryIdsInBody', 'tryScopes'] as const) {
      reached = new Set();
      expect([id, check, await problemOf(check, endpoint)]).toEqual([id, check, undefined]);
      for (const mutant of reached) {
        reachedBy.set(mutant, [...(reachedBy.get(mutant) ?? []), [check, endpoint]]);
      }
    }
  }

  const survivors: string[] = [];
  let killed = 0;
  for (const { id, place } of chosen) {
    active = id;
    const tries = reachedBy.get(id) ?? [];
    let killer: string | undefined;
    for (const [check, endpoint] of tries) {
      killer = await problemOf(check, endpoint);
      if (killer !== undefined) break;
    }
    active = '';
    const { [id]: reason } = equivalent;
    if (killer !== undefined) {
      killed += 1;
      note(`killed     ${place}  ${killer}`);
    } else if (reason !== undefined) note(`equivalent ${place}  ${reason}`);
    else {
      note(`SURVIVED   ${place}  after ${String(tries.length)} checks`);
      survivors.push(place);
    }
  }
  const [total, survived] = [String(chosen.length), String(survivors.length)];
  note(`mutants total=${total} killed=${String(killed)} survived=${survived}`);
  expect(survivors).toEqual([]);
});
