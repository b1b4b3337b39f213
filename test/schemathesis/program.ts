import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const serializers = fileURLToPath(new URL('serializers.py', import.meta.url));

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
];

export interface ProgramOptions {
  base: string;
  token: string;
  maxExamples: string;
  /** Without it, each operation gets `maxExamples` once. */
  maxSeconds: string | undefined;
  seed: string;
  workers: string;
  /** Text of its schemathesis.toml. */
  configuration: string;
  /** For that file and its report. */
  directory: string;
}

/** Runs it on the live service; what it prints goes through as it is. */
export async function runProgram(
  program: string,
  options: ProgramOptions,
): Promise<{ status: number; figures: string }> {
  const { base, directory } = options;
  const file = join(directory, 'schemathesis.toml');
  writeFileSync(file, options.configuration);
  const child = spawn(
    program,
    [
      ...['--config-file', file, 'run', `${base}/v2/meta/openapi.json`],
      ...['--url', base, '--header', `Authorization: Bearer ${options.token}`],
      ...['--phases', 'examples,coverage,fuzzing', '--checks', checks.join(',')],
      ...['--max-examples', options.maxExamples, '--seed', options.seed],
      ...(options.maxSeconds === undefined ? [] : ['--max-time', options.maxSeconds]),
      ...['--workers', options.workers, '--generation-database', 'none', '--no-color'],
      ...['--continue-on-failure', '--suppress-health-check', 'all', '--warnings', 'off'],
    ],
    {
      // Its cache as well goes where it can be removed.
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, SCHEMATHESIS_HOOKS: serializers },
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const status = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
  return { status, figures: figuresOf(output) };
}

/** The figures of its last words. */
function figuresOf(output: string): string {
  const find = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '0';
  const tested = find(/^ +Tested: (\d+)/m);
  const cases = find(/^ +(\d+) generated/m);
  const failures = find(/found (\d+) unique failure/);
  return `operations=${tested} cases=${cases} unique_failures=${failures}`;
}
