import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openMachine } from '../world/machine.ts';
import { newTeam } from '../world/teams.ts';
import { home, install, makeOf, run, tell } from './client.ts';
import type { Client } from './client.ts';
import { collection } from './collection.ts';
import { java, python as pythonOfGenerator } from './openapi-generator.ts';
import { runtimes } from './runtimes.ts';

// `npm run verify -- clients`: generators make clients of the OpenAPI document, and each client is used as an
// integrator would, against a service that runs. A warning of a generator is a failure, but for those
// of OpenAPI Generator, which docs/clients.md lists. Ends with 1 where a client fails, 2 where
// something is missing.

const { values } = parseArgs({
  options: {
    /** Clients with one of these names; all unless set. */
    only: { type: 'string', multiple: true, default: [] },
    /** Makes the clients, and tells no story. */
    prepare: { type: 'boolean', default: false },
  },
});

const document = resolve('test/contract/openapi.json');
const typescriptPackages = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.15.0',
  'standardwebhooks@1.1.1',
  'typescript@5.9.3',
  '@types/node@20.19.43',
];
const pythonPackages = ['openapi-python-client==0.26.2', 'standardwebhooks==1.0.0'];

const goGenerator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const goPackages = [
  'github.com/oapi-codegen/runtime@v1.8.0',
  'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1',
];

/** The Python SDK, as it would be installed, with packages for its tests and its build. */
const pythonSdkPackages = [
  ...['httpx==0.28.1', 'cryptography==50.0.2', 'standardwebhooks==1.0.0'],
  ...['pytest==9.2.0', 'mypy==2.4.1', 'hatchling==1.33.0'],
];

const typescript: Client = {
  name: 'typescript',
  make() {
    const directory = join(home, 'typescript');
    install(directory, typescriptPackages, () => {
      writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}');
      run('npm', ['install', '--silent', '--save-exact', ...typescriptPackages], {
        cwd: directory,
      });
    });
    makeOf(directory, [document, 'test/clients/typescript'], () => {
      cpSync('test/clients/typescript', directory, { recursive: true });
      const program = (name: string) => join(directory, 'node_modules', '.bin', name);
      const said = run(program('openapi-typescript'), [document, '-o', 'onward.d.ts'], {
        cwd: directory,
      });
      if (/warn/i.test(said)) throw new Error(said);
      run(program('tsc'), ['-p', '.'], { cwd: directory });
    });
    return tell([process.execPath, join(directory, 'made', 'story.mjs')]);
  },
};

const python: Client = {
  name: 'python',
  make() {
    const directory = join(home, 'python');
    const bin = join(directory, 'bin');
    install(directory, pythonPackages, () => {
      run('python3', ['-m', 'venv', directory]);
      run(join(bin, 'python3'), ['-m', 'pip', 'install', '--quiet', ...pythonPackages]);
    });
    const made = join(directory, 'made');
    const config = resolve('docs/clients/python.yaml');
    const hook = resolve('docs/clients/join_lists.py');
    makeOf(directory, [document, config, hook, 'test/clients/python'], () => {
      const said = run(
        join(bin, 'openapi-python-client'),
        [
          ...['generate', '--overwrite', '--path', document, '--output-path', made],
          ...['--config', config, '--fail-on-warning'],
        ],
        { env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` } },
      );
      if (/warn|unable/i.test(said)) throw new Error(said);
      cpSync('test/clients/python/story.py', join(made, 'story.py'));
      cpSync(hook, join(made, 'join_lists.py'));
    });
    return tell([join(bin, 'python3'), join(made, 'story.py')]);
  },
};

const pythonSdk: Client = {
  name: 'python-sdk',
  make() {
    const directory = join(home, 'python-sdk');
    const program = join(directory, 'bin', 'python3');
    const pip = ['-m', 'pip', 'install', '--quiet'];
    install(directory, pythonSdkPackages, () => {
      run('python3', ['-m', 'venv', directory]);
      run(program, [...pip, ...pythonSdkPackages]);
    });
    const package_ = resolve('sdk/python');
    makeOf(directory, [package_], () => {
      run(program, [...pip, '--no-build-isolation', '--no-deps', '--force-reinstall', package_]);
    });
    const tests = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', resolve('test/sdk/python')];
    return ({ baseUrl, clientId, clientSecret }) => {
      const settings = {
        ...{ ONWARD_BASE_URL: baseUrl, ONWARD_CLIENT_ID: clientId },
        ...{ ONWARD_CLIENT_SECRET: clientSecret },
        // Nothing is written next to the sources.
        PYTHONDONTWRITEBYTECODE: '1',
      };
      run(program, tests, { env: { ...process.env, ...settings } });
    };
  },
};

const go: Client = {
  name: 'go',
  make() {
    const directory = join(home, 'go');
    // A build of the generator, and of a client of everything, takes a minute each on two cores.
    const within = { cwd: directory, timeout: 600_000 };
    install(directory, [goGenerator, ...goPackages], () => {
      writeFileSync(join(directory, 'go.mod'), 'module example.com/integrator\n\ngo 1.25\n');
      run('go', ['install', goGenerator], { ...within, env: { ...process.env, GOBIN: directory } });
      run('go', ['get', ...goPackages], within);
    });
    const config = resolve('docs/clients/go.yaml');
    makeOf(directory, [document, config, 'test/clients/go'], () => {
      const made = join(directory, 'onward');
      mkdirSync(made, { recursive: true });
      const generator = join(directory, 'oapi-codegen');
      const said = run(generator, ['-config', config, document], { cwd: made });
      if (said !== '') throw new Error(said);
      cpSync('test/clients/go/main.go', join(directory, 'main.go'));
      run('go', ['build', '-o', 'story', '.'], within);
    });
    return tell([join(directory, 'story')]);
  },
};

async function tellStories(): Promise<number> {
  const all = [typescript, runtimes, python, pythonSdk, collection, go, java, pythonOfGenerator];
  const clients = all
    .filter(({ name }) => values.only.length === 0 || values.only.includes(name))
    .filter(({ name, needs = [] }) => {
      const missing = needs.filter((program) => spawnSync(program, ['-version']).error);
      if (missing.length > 0) console.log(`clients ${name} is left out without ${missing.join()}`);
      return missing.length === 0;
    });
  const stories = clients.map(({ name, make }) => ({ name, use: make() }));
  // A later run has only the stories left to do.
  if (values.prepare) return 0;
  const machine = await openMachine({
    ...{ name: 'clients-service', apis: 1, workers: 1, settings: {} },
    onNotice: (line) => process.stderr.write(`${line}\n`),
  });
  let failed = 0;
  try {
    const [baseUrl = ''] = machine.bases;
    for (const { name, use } of stories) {
      const { clientId, clientSecret } = await newTeam(machine);
      try {
        use({ baseUrl, clientId, clientSecret });
        console.log(`clients ${name} met=yes`);
      } catch (error) {
        failed += 1;
        console.log(`clients ${name} met=no\n${String(error)}`);
      }
    }
  } finally {
    await machine.close({ keepLogs: failed > 0 });
  }
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await tellStories();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
process.exit();
