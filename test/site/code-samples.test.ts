import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { codeSamplesOf } from '../../site/code-samples.ts';
import { javaScriptOf, pythonOf } from '../../site/literals.ts';
import { operationsOf } from '../../site/openapi.ts';
import { Onward, OnwardError } from '../../sdk/typescript/src/index.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { openApiDocument } from '../../src/meta/openapi.ts';
import { runCli } from '../sdk/cli/run-cli.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { project } from './run-story.ts';

const run = promisify(execFile);
const api = useTestApi();
const root = scratchDirectory();
const samples = operationsOf(openApiDocument(endpoints, '')).map(({ operation }) => {
  const [curl = '', typeScript = '', python = '', command = ''] = codeSamplesOf(operation).map(
    ({ source }) => source,
  );
  return { id: operation.id, curl, typeScript, python, command };
});

interface Answer {
  id: string;
  status: number;
  codes: string[];
}

/** A refusal that a sample with made-up ids, secrets and signatures must get. */
const madeUp =
  /^(\w*not_found|token_invalid|token_missing|session_expired|signature_\w+|\w*_unknown|receiver_disabled)$/;

function expectUnderstood(answers: readonly Answer[]): void {
  expect(answers.map(({ id }) => id)).toEqual(samples.map(({ id }) => id));
  const misunderstood = answers.filter(
    ({ status, codes }) =>
      status === 0 ||
      status >= 500 ||
      [400, 405, 406, 413, 415, 422].includes(status) ||
      codes.includes('route_not_found'),
  );
  expect(misunderstood).toEqual([]);
  const refused = answers.filter(({ codes }) => !codes.every((code) => madeUp.test(code)));
  expect(refused).toEqual([]);
}

function codesIn(file: string): string[] {
  try {
    const { errors = [] } = JSON.parse(readFileSync(file, 'utf8'));
    return errors.map(({ code }: { code: string }) => code);
  } catch {
    // No content, or CSV.
    return [];
  }
}

/** The settings of a shell of a new team, in which a reader pastes samples. */
async function newShell(): Promise<Record<string, string>> {
  const { clientId, clientSecret, token } = await api.newTeam();
  const client = { ONWARD_CLIENT_ID: clientId, ONWARD_CLIENT_SECRET: clientSecret };
  const { PATH = '' } = process.env;
  return { PATH, ONWARD_BASE_URL: api.url, ...client, TOKEN: token, WIDGET_TOKEN: 'dow_unknown' };
}

test('the curl sample of every operation is understood by the service', async () => {
  mkdirSync(join(root, 'answers'));
  const requests = samples.map(
    ({ id, curl }) => `${curl} -sS -o answers/${id} -w '${id} %{http_code}\\n'`,
  );
  writeFileSync(join(root, 'requests.sh'), requests.join('\n'));
  const { stdout } = await run('bash', ['requests.sh'], { cwd: root, env: await newShell() });
  const lines = stdout.trim().split('\n');
  expectUnderstood(
    lines.map((line) => {
      const [id = '', status] = line.split(' ');
      return { id, status: Number(status), codes: codesIn(join(root, 'answers', id)) };
    }),
  );
});

test('the TypeScript sample of every operation is understood by the service', async () => {
  const env = await newShell();
  const { ONWARD_BASE_URL: baseUrl = '', ONWARD_CLIENT_ID, ONWARD_CLIENT_SECRET } = env;
  const client = { clientId: ONWARD_CLIENT_ID, clientSecret: ONWARD_CLIENT_SECRET };
  // One client for all samples, so that they share its token.
  function SharedClient({ accessToken }: { accessToken?: string }) {
    return accessToken === undefined ? onward : visitor;
  }
  const onward = new Onward({ baseUrl, ...client, maxRetries: 0 });
  const visitor = new Onward({ baseUrl, accessToken: 'dow_unknown', maxRetries: 0 });
  const program = samples.map(({ id, typeScript }) => {
    const [first, ...rest] = typeScript.split('\n');
    expect([id, first]).toEqual([id, "import { Onward } from '@onward/sdk';"]);
    return `[${JSON.stringify(id)}, async () => {${rest.join('\n')}\n}]`;
  });
  const calls: [string, () => Promise<void>][] = runInNewContext(`[${program.join(',\n')}]`, {
    ...{ process: { env }, console: { log: () => undefined } },
    Onward: SharedClient,
  });
  const answers: Answer[] = [];
  for (const [id, call] of calls) {
    const error: unknown = await call().catch((reason: unknown) => reason);
    if (error === undefined) answers.push({ id, status: 200, codes: [] });
    else if (!(error instanceof OnwardError))
      answers.push({ id, status: 0, codes: [inspect(error)] });
    else {
      const { status = 0, problems } = error;
      answers.push({ id, status, codes: problems.map(({ code }) => code) });
    }
  }
  expectUnderstood(answers);
});

const inPython = `
import contextlib, io, json
import onward

shared = onward.Onward(max_retries=0)
visitor = onward.Onward(access_token="dow_unknown", max_retries=0)
onward.Onward = lambda access_token=None: visitor if access_token else shared
answers = []
for sample in json.load(open("samples.json")):
    answer = {"id": sample["id"], "status": 200, "codes": []}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(sample["python"], {})
    except onward.OnwardError as error:
        answer["status"] = error.status or 0
        answer["codes"] = [problem["code"] for problem in error.problems]
    except Exception as error:
        answer.update(status=0, codes=[repr(error)])
    answers.append(answer)
print(json.dumps(answers))
`;

/** Makes an environment with what the Python SDK needs, once for all runs; returns its Python. */
async function installPython(): Promise<string> {
  const home = join(project, '.onward', 'samples-python');
  const python = join(home, 'bin', 'python3');
  if (existsSync(home)) return python;
  const draft = `${home}-${String(process.pid)}`;
  await run('python3', ['-m', 'venv', draft]);
  await run(join(draft, 'bin', 'python3'), ['-m', 'pip', 'install', '--quiet', 'httpx==0.28.1']);
  renameSync(draft, home);
  return python;
}

test('the Python sample of every operation is understood by the service', async () => {
  const python = await installPython();
  writeFileSync(join(root, 'samples.json'), JSON.stringify(samples));
  const sources = join(project, 'sdk', 'python', 'src');
  const env = { ...(await newShell()), PYTHONPATH: sources, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run(python, ['-c', inPython], { cwd: root, env });
  expectUnderstood(JSON.parse(stdout));
});

test('the sample of every operation on the command line is understood by the service', async () => {
  const records = join(root, 'records.csv');
  writeFileSync(records, 'email\nada@example.com\n');
  mkdirSync(join(root, 'commands'));
  // The shell takes them apart.
  const script = samples.map(
    ({ id, command }) => `onward() { printf '%s\\0' "$@" >commands/${id}; }\n${command}`,
  );
  writeFileSync(join(root, 'commands.sh'), script.join('\n'));
  const shell = await newShell();
  await run('bash', ['commands.sh'], { cwd: root, env: shell });
  const { ONWARD_BASE_URL: url = '', TOKEN: token = '' } = shell;
  const answers: Answer[] = [];
  for (const { id } of samples) {
    const words = readFileSync(join(root, 'commands', id), 'utf8')
      .split('\0')
      .slice(0, -1)
      .map((word) => (word === 'records.csv' ? records : word));
    // One token for all samples.
    const own = words.includes('--access-token') ? [] : ['--access-token', token];
    const outcome = await runCli([...words, ...own, '--json', '--url', url], {
      environment: shell,
    });
    if (outcome.code === 0) {
      answers.push({ id, status: 200, codes: [] });
      continue;
    }
    const { error = {} } = JSON.parse(outcome.error === '' ? '{}' : outcome.error);
    const codes = (error.problems ?? []).map(({ code }: { code: string }) => code);
    const isUnderstood = error.status !== undefined;
    answers.push({
      id,
      status: isUnderstood ? error.status : 0,
      codes: isUnderstood ? codes : [words.join(' '), ...outcome.notes, outcome.error],
    });
  }
  expectUnderstood(answers);
});

test('literals keep every value of JSON', () => {
  const value = {
    'a-b': ["it's", 'line\nbreak', '"quoted"', null, true, 1.5],
    empty: {},
    list: [],
  };
  const read: unknown = runInNewContext(`JSON.stringify(${javaScriptOf(value)})`);
  expect(JSON.parse(String(read))).toEqual(value);
  expect(pythonOf({ a: [null, true, false] })).toBe('{"a": [None, True, False]}');
});
