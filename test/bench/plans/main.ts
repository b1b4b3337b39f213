import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { removePostgres, startPostgres } from '../../../src/local/postgres.ts';
import { appLogin } from '../../support/environment.ts';
import { excuses } from './excuses.ts';
import { findFaults } from './findings.ts';
import type { Finding, Step } from './findings.ts';
import { growTo, isGrowing, makePartitions } from './sizes.ts';
import { readStatements, shapeOf } from './statements.ts';
import type { Statement } from './statements.ts';
import { setColumnStatistics } from './statistics.ts';

// `npm run bench -- plans`: the plans of the statements that tests let the product run, in an
// installation of a hundred teams, and in one in which each has ten and a hundred times as much.
// Ends with 1 when a plan reads, sorts or costs more with the size and no excuse says why.
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Explains what an earlier run recorded. */
    recorded: { type: 'boolean', default: false },
    /** Shows the plans of statements that contain this. */
    show: { type: 'string' },
  },
});
/** Tests that make the calls of partners, the work of lanes and the maintenance; some five minutes. */
const usual = [
  ...['stories', 'contacts', 'engagement', 'team/users', 'team/audit-events', 'team/oauth2/token'],
  ...['campaigns/templates', 'campaigns/messages', 'campaigns/landing-pages', 'campaigns/content'],
  ...['campaigns/objectives', 'cohorts/cohorts', 'cohorts/realtime', 'insights/insights'],
  ...['insights/rollups', 'insights/cache', 'journeys/decisions', 'journeys/enrollment'],
  ...['journeys/ends', 'journeys/timing', 'messaging/message-deliveries', 'messaging/settling'],
  ...['inbound/intake', 'inbound/projection', 'inbound/replay', 'inbound/receivers'],
  ...['inbound/deliveries', 'operations/batch/operations', 'operations/ipaas/execution'],
  ...['operations/exports', 'operations/sftp/fetching', 'operations/file-sources'],
  ...['webhooks/delivery', 'webhooks/retry', 'webhooks/limits', 'webhooks/subscriptions'],
  ...['webhooks/switching-off', 'webhooks/secrets', 'widget/enrollments', 'widget/events'],
  ...['widget/forms', 'widget/sessions', 'widget/widget-instances', 'platform/database'],
].map((name) => `test/${name}`);
const place = resolve('.onward/plans');
const recording = resolve('.onward/plans.json');
const scales = [1, 10, 100] as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

mkdirSync(place, { recursive: true });
const postgres = await startPostgres({
  directory: join(place, 'postgres'),
  settings: {
    ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
    ...{ max_connections: '300', logging_collector: 'on', log_destination: 'jsonlog' },
    ...{ log_statement: 'all', log_parameter_max_length: '0', log_rotation_size: '0' },
  },
  onNotice: say,
});
let isGood = true;
try {
  const statements = given.recorded ? readRecording() : await record(postgres.url);
  const database = await openInstallation(postgres.url);
  try {
    isGood = (await compare(database, statements)) && isGood;
  } finally {
    await database.close();
  }
} finally {
  await postgres.stop();
  await removePostgres(join(place, 'postgres'));
  await rm(place, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);

function readRecording(): Statement[] {
  const texts: string[] = JSON.parse(readFileSync(recording, 'utf8'));
  return texts.map((text) => ({ text, shape: shapeOf(text) }));
}

async function record(url: string): Promise<Statement[]> {
  const jest = ['--import', './test/support/jest/register.mjs', 'node_modules/jest/bin/jest.js'];
  const { status } = spawnSync(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest],
      ...['--silent', ...(positionals.length > 0 ? positionals : usual)],
    ],
    { env: { ...process.env, DATABASE_URL: url }, stdio: 'inherit' },
  );
  if (status !== 0) {
    say('Some tests failed, so statements may be missing.');
    isGood = false;
  }
  const statements = await readStatements(await logDirectory(url));
  writeFileSync(recording, JSON.stringify(statements.map(({ text }) => text)));
  return statements;
}

async function logDirectory(url: string): Promise<string> {
  const server = connectDatabase({ url, maxConnections: 1, applicationName: 'plans' });
  const [row] = await server.read(
    (sql) => sql<[{ path: string }]>`select current_setting('data_directory') || '/log' as path`,
  );
  await server.close();
  return row.path;
}

async function openInstallation(serverUrl: string): Promise<Database> {
  const options = { maxConnections: 1, applicationName: 'plans' };
  const server = connectDatabase({ url: serverUrl, ...options });
  await server.read((sql) => sql`create database plans`, { deadlineMs: 60_000 });
  await server.close();
  const url = new URL(serverUrl);
  url.pathname = '/plans';
  const database = connectDatabase({ url: url.href, ...options });
  await migrate(database, appLogin);
  await run(database, makePartitions);
  await run(database, setColumnStatistics);
  return database;
}

function run<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.read(work, { deadlineMs: 600_000 });
}

async function compare(database: Database, statements: readonly Statement[]): Promise<boolean> {
  const plans = statements.map(() => new Map<number, Step>());
  const unexplained: string[] = [];
  for (const scale of scales) {
    await run(database, (sql) => growTo(sql, scale));
    for (const [at, { text, shape }] of statements.entries()) {
      try {
        const plan = await run(database, (sql) => explain(sql, text));
        plans[at]?.set(scale, plan);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (scale === 1) unexplained.push(`${why}\n      ${shape.slice(0, 300)}`);
      }
    }
  }
  const used = new Set<string>();
  let [faulty, excused] = [0, 0];
  for (const [at, { text, shape }] of statements.entries()) {
    const [small, middle, large] = scales.map((scale) => plans[at]?.get(scale));
    if (!small || !middle || !large) continue;
    if (given.show !== undefined && shape.includes(given.show)) {
      say(`\n${text}\n${linesOf(small).join('\n')}\n  ×100:\n${linesOf(large).join('\n')}`);
    }
    const found = faultsOf(small, middle, large);
    const open = found.filter((finding) => !isExcused(shape, finding, used));
    if (found.length > open.length) excused += 1;
    if (open.length === 0) continue;
    faulty += 1;
    say(`\n  ${open.map((finding) => finding.text).join('; ')}\n      ${shortened(shape)}`);
  }
  for (const line of unexplained) say(`\n  cannot be explained: ${line}`);
  for (const reason of used) say(`  excused: ${reason}`);
  say(
    `\n${String(statements.length)} statements, ${String(faulty)} with findings, ${String(excused)} with excuses, ${String(unexplained.length)} not explained`,
  );
  return faulty === 0 && unexplained.length === 0;
}

async function explain(sql: Sql, text: string): Promise<Step> {
  const [row] = await sql
    .unsafe(`explain (generic_plan, format json) ${withOneDay(text)}`)
    .simple();
  return row?.['QUERY PLAN'][0].Plan;
}

/** The statement for one day and moment: execution leaves out the other partitions, a plan does not. */
function withOneDay(text: string): string {
  const now = new Date().toISOString();
  return text
    .replaceAll(/\bday = \$\d+(::date)?/g, `day = date '${now.slice(0, 10)}'`)
    .replaceAll(
      /\b(inserted_at|occurred_at) = \$\d+(::timestamptz)?/g,
      `$1 = timestamptz '${now}'`,
    );
}

function faultsOf(small: Step, middle: Step, large: Step): Finding[] {
  const known = findFaults(small, large, isGrowing);
  const kinds = new Set(known.map(({ kind }) => kind));
  const atTen = findFaults(small, middle, isGrowing);
  return [...known, ...atTen.filter(({ kind }) => !kinds.has(kind))];
}

function shortened(shape: string): string {
  return shape.length < 500 ? shape : `${shape.slice(0, 240)} … ${shape.slice(-240)}`;
}

function isExcused(shape: string, { kind }: Finding, used: Set<string>): boolean {
  const excuse = excuses.find((one) => one.kinds.includes(kind) && one.shape.test(shape));
  if (excuse) used.add(excuse.reason);
  return excuse !== undefined;
}

function linesOf(step: Step, depth = 1): string[] {
  const what = [step['Node Type'], step['Relation Name'], step['Index Name'], step['Index Cond']];
  const cost = `${String(step['Total Cost'])}, ${String(step['Plan Rows'])} rows`;
  const line = `${'  '.repeat(depth)}${what.filter(Boolean).join(' ')}  (${cost})`;
  return [line, ...(step.Plans ?? []).flatMap((one) => linesOf(one, depth + 1))];
}
