import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from '@jest/globals';
import ts from 'typescript';
import { codeSamplesOf } from '../../site/code-samples.ts';
import { javaScriptOf, pythonOf } from '../../site/literals.ts';
import { operationsOf } from '../../site/openapi.ts';
import { operations } from '../../sdk/typescript/src/operations.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { openApiDocument } from '../../src/meta/openapi.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { useTestApi } from '../support/use-test-api.ts';

const run = promisify(execFile);
const api = useTestApi();
const root = scratchDirectory();
const samples = operationsOf(openApiDocument(endpoints, '')).map(({ operation }) => {
  const [curl = '', typeScript = '', python = ''] = codeSamplesOf(operation).map(
    ({ source }) => source,
  );
  return { id: operation.id, curl, typeScript, python };
});

interface Answer {
  id: string;
  status: number;
  codes: string[];
}
let answers: Answer[];

beforeAll(async () => {
  const team = await api.newTeam();
  mkdirSync(join(root, 'answers'));
  const requests = samples.map(
    ({ id, curl }) => `${curl} -sS -o answers/${id} -w '${id} %{http_code}\\n'`,
  );
  writeFileSync(join(root, 'requests.sh'), requests.join('\n'));
  const { stdout } = await run('bash', ['requests.sh'], {
    cwd: root,
    env: {
      ...{ PATH: process.env['PATH'], ONWARD_BASE_URL: api.url, TOKEN: team.token },
      ...{ ONWARD_CLIENT_ID: team.clientId, ONWARD_CLIENT_SECRET: team.clientSecret },
      WIDGET_TOKEN: 'dow_unknown',
    },
  });
  answers = stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', status] = line.split(' ');
      return { id, status: Number(status), codes: codesIn(join(root, 'answers', id)) };
    });
}, 90_000);

function codesIn(file: string): string[] {
  try {
    const { errors = [] } = JSON.parse(readFileSync(file, 'utf8'));
    return errors.map(({ code }: { code: string }) => code);
  } catch {
    // No content, or CSV.
    return [];
  }
}

/** A refusal that a sample with made-up ids, secrets and signatures must get. */
const madeUp =
  /^(\w*not_found|token_invalid|token_missing|session_expired|signature_\w+|\w*_unknown|receiver_disabled)$/;

test('the curl sample of every operation is understood by the service', () => {
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
});

test('the TypeScript sample of every operation is valid, with the names of the SDK', () => {
  for (const { id, typeScript } of samples) {
    const { diagnostics } = ts.transpileModule(typeScript, {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    expect([id, diagnostics?.map(({ messageText }) => messageText)]).toEqual([id, []]);
    const [, namespace, method] = /await onward\.(\w+)\.(\w+)\(/.exec(typeScript) ?? [];
    const known = operations.find((operation) => operation.id === id);
    expect([id, namespace, method]).toEqual([id, known?.namespace, known?.method]);
  }
});

test('the Python sample of every operation is valid, with the names of the SDK', async () => {
  writeFileSync(join(root, 'samples.json'), JSON.stringify(samples.map(({ python }) => python)));
  const program = 'import ast, json\nfor text in json.load(open("samples.json")): ast.parse(text)';
  await run('python3', ['-c', program], { cwd: root });
  const classes = readFileSync('sdk/python/src/onward/_generated/resources.py', 'utf8');
  for (const { id, python } of samples) {
    const [, method] = /= onward\.\w+\.(\w+)\(/.exec(python) ?? [];
    expect([id, classes.includes(`def ${String(method)}(`)]).toEqual([id, true]);
  }
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
