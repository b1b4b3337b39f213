import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fillTeam } from '../../src/commands/seed/fill.ts';
import { analyzeSeeded } from '../../src/commands/seed/queries.ts';
import { removePostgres, startPostgres } from '../../src/local/postgres.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import { createCursors } from '../../src/platform/lists/cursor.ts';
import { parseListQuery } from '../../src/platform/lists/parse.ts';
import { pageStatement } from '../../src/platform/lists/sql.ts';
import type { Position } from '../../src/platform/lists/keyset.ts';
import { contactListFields } from '../../src/contacts/contact.ts';
import { listContactsOf } from '../../src/contacts/queries.ts';
import { startTestApi } from '../support/api.ts';
import type { TestTeam } from '../support/api.ts';
import globalSetup from '../support/global-setup.ts';
import globalTeardown from '../support/global-teardown.ts';
import { walBytes } from './webhooks/wal.ts';

// The cost of lists of contacts in a small team and in large ones in one database: buffers that
// the statement of a page reads, and p99 over HTTP. The cost of a page must not grow with the table
// (ADR 15): 1.3 times at most, unless stated otherwise. And what a POST of a contact writes to the
// log right after a checkpoint, when each page that it changes is written whole.
const { values: given } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    /** Several are filled one after the other, and each is compared with the small one. */
    large: { type: 'string', multiple: true, default: ['1000000'] },
    requests: { type: 'string', default: '300' },
  },
});
const limit = 1.3;
/** For statements on all rows. */
const patient = { deadlineMs: 3_600_000 };
/** Pages so small and fast that the ratio is noise. */
const fewBuffers = 40;

const declaration = { fields: contactListFields, defaultSort: '-inserted_at' };
interface Page {
  name: string;
  query: string;
  /** From the middle of the list. */
  deep?: boolean;
  /** Where another limit than the common one is all that can be had. */
  limit?: number;
}

/** `email` is an address that one contact of each team has. */
const pagesFor = (email: string): Page[] => [
  { name: 'list', query: '' },
  { name: 'sort by name', query: 'sort=last_name' },
  { name: 'filter by status', query: 'filter[status]=suppressed' },
  { name: 'filter by locale', query: 'filter[locale]=fr-CA' },
  { name: 'filter by tag', query: 'filter[tags][contains]=vip' },
  { name: 'filter by range', query: 'filter[last_engaged_at][present]=true&sort=-last_engaged_at' },
  { name: 'begins, one hit', query: `filter[email][starts_with]=${email.slice(0, -4)}` },
  { name: 'ends, one hit', query: `filter[email][ends_with]=${email.slice(2)}` },
  // The lists of its trigrams grow with the table, and the rarest of them is read whole.
  {
    name: 'contains, one hit',
    query: `filter[email][contains]=${email.slice(2, -4)}`,
    limit: 2,
  },
  // These find more in the larger team, and their order is not that of the index that finds them:
  // all that is found is read, up to where reading in order until the page is full is cheaper.
  { name: 'contains, 1 of 44', query: 'filter[email][contains]=garcia', limit: Infinity },
  { name: 'contains, 1 of 1000', query: 'filter[email][contains]=777@example', limit: Infinity },
  { name: 'by unique_id', query: 'filter[unique_id]=seed-4321' },
  { name: 'deep page', query: '', deep: true },
  { name: 'deep, by name', query: 'sort=last_name,-inserted_at', deep: true },
];

process.env['TEMPORAL_ADDRESS'] ??= '127.0.0.1:9';
const directory = resolve('.onward/bench-lists');
await removePostgres(directory).catch(() => undefined);
// On a disk, with images of pages in the log: that of the tests has neither.
const settings = { max_connections: '300', max_wal_size: '8GB', maintenance_work_mem: '2GB' };
const postgres = await startPostgres({ directory, settings, onNotice: say });
process.env['DATABASE_URL'] = postgres.url;
await globalSetup();
const api = await startTestApi();
const owner = connectDatabase({
  url: api.db.ownerUrl,
  maxConnections: 1,
  applicationName: 'bench',
});
const cursors = createCursors(api.keyring.cursorKeys);
try {
  const small = await fill(given.small);
  const pages = pagesFor(await emailOf(small.id, 'seed-4321'));
  let failed = 0;
  for (const size of given.large) failed += await compare(pages, small, await fill(size));
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await owner.close();
  await api.stop();
  await globalTeardown();
  await postgres.stop();
  await removePostgres(directory);
}

/** A new team with so many contacts. */
async function fill(size: string): Promise<TestTeam> {
  const team = await api.newTeam();
  const startedAt = performance.now();
  const contacts = Number(size);
  const fillIt = () =>
    fillTeam(owner, team.id, contacts, (done) => {
      if (done % 1_000_000 === 0) say(`  ${String(done)} contacts are there`);
    });
  await (contacts > 1_000_000 ? withoutIndexes(['contacts', 'accounts'], fillIt) : fillIt());
  say(`${size} contacts in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  const [changes, all] = [await logOfPosts(team, 'off'), await logOfPosts(team, 'on')];
  say(`a POST writes ${changes} bytes to the log, ${all} with the pages after a checkpoint`);
  return team;
}

/** Does the work while the tables have the indexes of their constraints only: some times faster. */
async function withoutIndexes(tables: string[], work: () => Promise<void>): Promise<void> {
  const indexes = await owner.read(
    (sql) => sql<{ name: string; definition: string }[]>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index
      where indrelid = any(${tables}::text[]::regclass[])
        and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  const run = (text: string) => owner.read((sql) => sql.unsafe(text), patient);
  for (const { name } of indexes) await run(`drop index ${name}`);
  await work();
  for (const { name, definition } of indexes) {
    say(`  index ${name}`);
    await run(definition);
  }
  // Statistics of expressions are those of their indexes.
  await owner.read((sql) => analyzeSeeded(sql, tables), patient);
}

/** Compares each page with that of the small team; returns the number of those over their limit. */
async function compare(pages: readonly Page[], small: TestTeam, large: TestTeam): Promise<number> {
  let failed = 0;
  say(
    `${'page'.padEnd(20)} ${'buffers'.padStart(15)} ${'ratio'.padStart(6)} ${'p99 ms'.padStart(15)} ${'ratio'.padStart(6)}`,
  );
  for (const page of pages) {
    const [a, b] = [await measure(small, page), await measure(large, page)];
    const buffers = b.buffers / Math.max(a.buffers, 1);
    const isDear = buffers > (page.limit ?? limit) && b.buffers > fewBuffers;
    if (isDear) failed += 1;
    say(
      [
        page.name.padEnd(20),
        `${String(a.buffers)} → ${String(b.buffers)}`.padStart(15),
        buffers.toFixed(2).padStart(6),
        `${a.p99Ms.toFixed(1)} → ${b.p99Ms.toFixed(1)}`.padStart(15),
        (b.p99Ms / a.p99Ms).toFixed(2).padStart(6),
        isDear ? 'over the limit' : '',
      ].join(' '),
    );
  }
  return failed;
}

/** Bytes of log for each of 2,000 POSTs of a contact by 32 callers, right after a checkpoint. */
async function logOfPosts(team: TestTeam, pageImages: 'on' | 'off'): Promise<string> {
  const posts = 2_000;
  const callers = 32;
  await owner.read((sql) => sql.unsafe(`alter system set full_page_writes = ${pageImages}`));
  await owner.read((sql) => sql`select pg_reload_conf()`);
  await owner.read((sql) => sql`checkpoint`, patient);
  const before = await walBytes(owner);
  let posted = 0;
  async function call(): Promise<void> {
    while (posted < posts) {
      posted += 1;
      const name = randomUUID();
      const { status } = await team.post('/v2/partner/contacts', {
        ...{ email: `${name}@example.com`, last_name: name.slice(0, 8), unique_id: name },
      });
      if (status !== 201) throw new Error(`a POST answers ${String(status)}`);
    }
  }
  await Promise.all(Array.from({ length: callers }, call));
  return Math.round(((await walBytes(owner)) - before) / posts).toLocaleString('en');
}

async function measure(team: TestTeam, page: Page) {
  const request = parseListQuery(declaration, new URLSearchParams(page.query));
  const source = listContactsOf(team.id);
  const position = page.deep ? await middleOf(team.id, request.order) : undefined;
  const start = position && ({ direction: 'after', position } as const);
  const { text, values } = pageStatement(source, request, start);
  const explain = `explain (analyze, buffers, format json) ${text}`;
  const run = () =>
    owner.read((sql) => sql.unsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(explain, [...values]), {
      deadlineMs: 60_000,
    });
  await run();
  const [plan] = await run();
  const root = plan?.['QUERY PLAN'][0].Plan;
  const buffers = (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0);

  const scope = { teamId: team.id, operationId: 'listContacts', ...request };
  const after = position ? `&page[after]=${cursors.encode(scope, { position })}` : '';
  const times: number[] = [];
  for (let turn = 0; turn < Number(given.requests); turn += 1) {
    const startedAt = performance.now();
    const { status } = await team.get(`/v2/partner/contacts?${page.query}${after}`);
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${page.query} answers ${String(status)}`);
  }
  times.sort((x, y) => x - y);
  return { buffers, p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? 0 };
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

async function emailOf(teamId: string, uniqueId: string): Promise<string> {
  const [row] = await owner.read(
    (sql) => sql<{ email: string }[]>`
      select email from contacts where team_id = ${teamId} and unique_id = ${uniqueId}`,
  );
  return row?.email ?? '';
}

/** The sort values of the row in the middle of the list. */
async function middleOf(
  teamId: string,
  order: readonly { name: string; descending: boolean }[],
): Promise<Position> {
  const by = order.map(({ name, descending }) => `${name} ${descending ? 'desc' : 'asc'}`);
  const rows = await owner.read(
    (sql) =>
      sql.unsafe<Record<string, string>[]>(
        `select ${order.map(({ name }) => name).join(', ')} from contacts
         where team_id = $1 and status <> 'archived' order by ${by.join(', ')}
         offset (select count(*) / 2 from contacts where team_id = $1) limit 1`,
        [teamId],
      ),
    patient,
  );
  return order.map(({ name }) => rows[0]?.[name] ?? null);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
