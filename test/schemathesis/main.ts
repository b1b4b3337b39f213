import { parseArgs } from 'node:util';
import { endpoints } from '../../src/app/endpoints.ts';
import { persist } from '../world/client.ts';
import { openMachine } from '../world/machine.ts';
import type { Machine } from '../world/machine.ts';
import { newTeam } from '../world/teams.ts';
import type { Team } from '../world/teams.ts';
import type { Owner } from '../contract/recipes/recipe.ts';
import { configurationOf } from './configuration.ts';
import { installProgram } from './install.ts';
import { runProgram } from './program.ts';

// `npm run verify -- schemathesis`: a stranger reads the OpenAPI document of the service that runs and tries
// everything in the document. Ends with 1 on any failure, 2 when it cannot run. With
// --max-seconds it goes on until then; the token of the client lasts an hour.

const usage =
  'npm run verify -- schemathesis [--max-examples <n>] [--seed <n>] [--only <operation id,…>] [--workers <n>] [--max-seconds <n>]';

function readArguments() {
  const { values } = parseArgs({
    options: {
      'max-examples': { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      only: { type: 'string' },
      workers: { type: 'string', default: '1' },
      'max-seconds': { type: 'string' },
    },
  });
  const { 'max-examples': maxExamples, 'max-seconds': maxSeconds, seed, only, workers } = values;
  for (const number of [maxExamples, maxSeconds ?? '0', seed, workers]) {
    if (!/^\d+$/.test(number)) throw new Error(`${number} is no number`);
  }
  const names = only?.split(',') ?? [];
  const unknown = names.find((name) => !endpoints.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`${unknown} is no operation: see npm run routes`);
  return { maxExamples, maxSeconds, seed, names, workers };
}

/** The team in the form in which the recipes of test/contract make things. */
function ownerOf({ database }: Machine, team: Team): Owner {
  return {
    id: team.id,
    db: { look: async (work) => [...(await database.read(work))] },
    get: (path) => team.call('GET', path),
    post: (path, body) => team.call('POST', path, body),
    patch: (path, body) => team.call('PATCH', path, body),
  };
}

async function run(): Promise<number> {
  const { names, ...options } = readArguments();
  console.log(`schemathesis seed=${options.seed} max_examples=${options.maxExamples}`);
  const program = await installProgram();
  const machine = await openMachine({
    name: 'schemathesis-service',
    apis: 1,
    // Nothing that is made up may be sent anywhere.
    workers: 0,
    settings: {},
    onNotice: (line) => process.stderr.write(`${line}\n`),
  });
  let isFine = false;
  try {
    const team = await newTeam(machine);
    const [base = ''] = machine.bases;
    const configuration = await configurationOf(
      ownerOf(machine, team),
      (widgetToken, path, json) =>
        persist(machine.bases, 0, 'POST', path, { token: widgetToken, json }),
      names,
    );
    const { status, figures } = await runProgram(program, {
      ...options,
      base,
      token: team.token,
      configuration,
      directory: machine.directory,
    });
    const deaths = machine.apis.map((api) => api.deaths()).reduce((a, b) => a + b, 0);
    console.log(`schemathesis ${figures} api_deaths=${deaths}`);
    isFine = status === 0 && deaths === 0;
  } finally {
    await machine.close({ keepLogs: !isFine });
    if (!isFine) console.log(`What the service said is in ${machine.directory}`);
  }
  return isFine ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(usage);
  process.exitCode = 2;
}
process.exit();
