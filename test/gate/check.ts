import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { findAsvsFaults, findMissingFiles } from './asvs.ts';
import {
  findBrokenLinks,
  findFixedAddresses,
  findMissingPaths,
  findUnknownDecisions,
} from './documents.ts';
import { findBreaches } from './invariants.ts';
import { findMissingScenes, findUnlistedLoops } from './row-loops.ts';
import type { Finding, SourceFile } from './invariants.ts';
import {
  findDescriptionFaults,
  findDialect,
  findOpenings,
  findSummaryFaults,
  textsOf,
  findMissingExamples,
  findRepeatedSummaries,
} from './descriptions.ts';
import { findBannedOpenings, findBannedWords } from './language.ts';
import { findLimitFaults } from './limits.ts';
import { findUnsafeSettings, findUntrusted } from './packages.ts';
import type { LockedPackages } from './packages.ts';
import { findStalePages, findUndescribed } from './reference.ts';
import { findSchemaFaults } from './schema-files.ts';
import { findChangedWorkflows, workflowChecksums, workflowCodeFile } from './workflow-code.ts';
import { findTextCuts } from './text-cuts.ts';

// `npm run check [step…]`: every step runs even if others fail; ends with 1 if one failed.

interface Outcome {
  ok: boolean;
  output: string;
}
interface Step {
  name: string;
  run: () => Promise<Outcome>;
}

const folders = ['src', 'workflows', 'activities', 'sdk', 'test'].filter((name) =>
  readdirSync('.').includes(name),
);

/** The longest first: two run at a time. */
const steps: readonly Step[] = [
  // Prettier takes the longest, and has one thread.
  tool('format', 'prettier/bin/prettier.cjs', '--check', '--cache', '--log-level', 'warn', '.'),
  // Types too, of each file by the tsconfig.json that is nearest to it.
  tool('lint', 'oxlint/bin/oxlint', '.'),
  tool(
    'imports',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.js',
    ...folders,
  ),
  tool('unused', 'knip/bin/knip.js', '--no-config-hints', '--no-progress'),
  { name: 'invariants', run: checkInvariants },
  { name: 'cuts', run: checkCuts },
  { name: 'packages', run: checkPackages },
  { name: 'asvs', run: checkAsvs },
  { name: 'limits', run: checkLimits },
  { name: 'documents', run: checkDocuments },
  { name: 'reference', run: checkReference },
  { name: 'sdk', run: checkSdk },
  { name: 'language', run: checkLanguage },
  { name: 'workflows', run: checkWorkflows },
  { name: 'descriptions', run: checkDescriptions },
];

function tool(name: string, program: string, ...args: string[]): Step {
  const file = path.join('node_modules', program);
  return {
    name,
    run: () =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [file, ...args], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
        });
        let output = '';
        const collect = (chunk: Buffer) => (output += chunk.toString());
        child.stdout.on('data', collect);
        child.stderr.on('data', collect);
        child.on('error', reject);
        child.on('close', (code) => resolve({ ok: code === 0, output }));
      }),
  };
}

async function checkInvariants(): Promise<Outcome> {
  const files = folders.flatMap((folder) => read(folder, /\.(ts|mjs)$/));
  const scenes = read('test/abuse', /^poison-rows.*\.test\.ts$/)
    .map(({ text }) => text)
    .join('\n');
  const migrations = read('src/platform/database/migrations', /\.sql$/).map(({ text }) => text);
  const lines = [
    ...findBreaches(files, migrations).map(format),
    ...findUnlistedLoops(files, readFileSync('docs/faults.md', 'utf8')).map(format),
    ...findMissingScenes(scenes).map(format),
    ...findSchemaFaults(read('src/platform/database', /\.sql$/)),
  ];
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

function checkPackages(): Promise<Outcome> {
  const lock: { packages: LockedPackages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const npmrc = readFileSync('.npmrc', 'utf8');
  const lines = [...findUntrusted(lock.packages), ...findUnsafeSettings(npmrc, lock.packages)];
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

function checkAsvs(): Promise<Outcome> {
  const missing = findMissingFiles(readFileSync('docs/security.md', 'utf8'), existsSync);
  const lines = [
    ...findAsvsFaults(readFileSync('docs/security-asvs.md', 'utf8'), (path) =>
      existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined,
    ),
    ...missing.map((path) => `docs/security.md names ${path}, which does not exist`),
  ];
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

function checkCuts(): Promise<Outcome> {
  const product = folders.filter((folder) => folder !== 'test');
  const lines = findTextCuts(product.flatMap((folder) => read(folder, /\.ts$/)));
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

function checkLimits(): Promise<Outcome> {
  const lines = findLimitFaults(readFileSync('docs/limits.md', 'utf8'), read('src', /\.ts$/));
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

function checkDocuments(): Promise<Outcome> {
  const entries = readdirSync('.').filter((name) => name.endsWith('.md'));
  const pages = [
    ...entries.map((name) => ({ path: name, text: readFileSync(name, 'utf8') })),
    ...read('docs', /\.md$/),
  ].map((page) => (page.path === 'docs/reference.md' ? withOperations(page) : page));
  const sources = folders.flatMap((folder) => read(folder, /\.(ts|mjs|sql)$/));
  const index = readFileSync('docs/adr/README.md', 'utf8');
  const lines = [
    ...findBrokenLinks(pages, existsSync),
    ...findFixedAddresses(pages),
    ...findMissingPaths(pages, existsSync),
    ...findUnknownDecisions([...sources, ...pages], index),
  ];
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

/** The reference with the operations that pages link to: the site has a heading for each. */
function withOperations({ path: file, text }: SourceFile): SourceFile {
  const document = readFileSync('test/contract/openapi.json', 'utf8');
  const ids = [...document.matchAll(/"operationId": "(\w+)"/g)].map(([, id = '']) => `# ${id}`);
  return { path: file, text: [text, ...ids].join('\n') };
}

/** Imported here: it loads the whole service, whose faults must not end the other steps. */
async function checkReference(): Promise<Outcome> {
  const { generatedTables } = await import('../../src/commands/documents/pages.ts');
  const pages = read('docs', /\.md$/);
  const sources = ['src', 'workflows'].flatMap((folder) => read(folder, /\.(ts|sql)$/));
  const lines = [...findStalePages(generatedTables, pages), ...findUndescribed(sources, pages)];
  return { ok: lines.length === 0, output: lines.join('\n') };
}

async function checkDescriptions(): Promise<Outcome> {
  const { endpoints } = await import('../../src/app/endpoints.ts');
  const document: unknown = JSON.parse(readFileSync('test/contract/openapi.json', 'utf8'));
  const { errorCatalog } = await import('../../src/platform/http/error-catalog.ts');
  const ofErrors = Object.entries(errorCatalog).map(
    ([code, [, title, remedy]]) => [code, `${title}. ${remedy}`] as const,
  );
  const lines = [
    ...findDescriptionFaults(endpoints),
    ...findSummaryFaults(endpoints),
    ...new Set(findOpenings(document)),
    ...new Set(findDialect([...textsOf(document), ...ofErrors])),
    ...findRepeatedSummaries(endpoints),
    ...findMissingExamples(document),
  ];
  return { ok: lines.length === 0, output: lines.join('\n') };
}

/** Generated files of the SDKs are those that the OpenAPI document gives. */
async function checkSdk(): Promise<Outcome> {
  const { generateFiles } = await import('../../sdk/generate/files.ts');
  const { generatePythonFiles } = await import('../../sdk/generate/python/files.ts');
  const { generateCollection } = await import('../../sdk/generate/collection/files.ts');
  const files = [...(await generateFiles()), ...generatePythonFiles(), ...generateCollection()];
  const stale = files.filter(
    ([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text,
  );
  const lines = stale.map(
    ([file]) =>
      `${file} is out of date: npm run ${file.startsWith('docs/') ? 'collection' : 'sdk'}`,
  );
  return { ok: lines.length === 0, output: lines.join('\n') };
}

function checkWorkflows(): Promise<Outcome> {
  const recorded: Record<string, string> = JSON.parse(readFileSync(workflowCodeFile, 'utf8'));
  const lines = findChangedWorkflows(recorded, workflowChecksums());
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

function checkLanguage(): Promise<Outcome> {
  // The comments of generated files are those of the declarations, which are checked.
  const filesOf = (names: readonly string[]) =>
    names
      .flatMap((folder) => read(folder, /\.(ts|mjs|sql)$/))
      .filter(({ path }) => !path.includes('/generated/'));
  const sources = filesOf(folders.filter((folder) => folder !== 'test'));
  const pages = [
    { path: 'README.md', text: readFileSync('README.md', 'utf8') },
    ...read('docs', /\.md$/),
  ];
  const found = [
    ...findBannedWords([...sources, ...pages]),
    ...findBannedOpenings(filesOf(folders)),
  ];
  const lines = found.map(format);
  return Promise.resolve({ ok: lines.length === 0, output: lines.join('\n') });
}

function format({ path: file, line, message }: Finding): string {
  return `${file}:${line}  ${message}`;
}

function read(folder: string, name: RegExp) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .map((file) => ({ path: file, text: readFileSync(file, 'utf8') }));
}

async function report({ name, run }: Step): Promise<boolean> {
  const startedAt = Date.now();
  const { ok, output } = await run();
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds.padStart(5)} s`);
  // A passing step has output worth showing only if it warns.
  if (!ok || /\bwarning\b/.test(output)) console.log(`\n${output.trim()}\n`);
  return ok;
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !steps.some((step) => step.name === name));
if (unknown !== undefined) {
  console.error(`${unknown} is no step of the check: ${steps.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const queue = steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const failed: string[] = [];
async function runQueue(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    if (!(await report(step))) failed.push(step.name);
  }
}
await Promise.all([runQueue(), runQueue()]);
console.log(failed.length === 0 ? 'The check passed.' : `The check failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
