import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { newTeam } from '../../world/teams.ts';
import { startChild } from '../child.ts';
import { callInALoop } from '../load.ts';
import type { Request } from '../load.ts';
import type { Report } from '../report.ts';
import { postContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const callers = 50;
const seconds = 4;

/** A request of ours, and the same with nothing but the statement. */
interface Pair {
  name: string;
  ours: Request;
  limit: Request;
  atLeast?: number;
}

/** The API compared with node:http and the same query only, in turn. */
export async function http(stand: Stand, report: Report): Promise<void> {
  // Without a worker, so that accepting is measured and not delivering.
  const machine = await openMachine({
    ...{ name: 'bench-http', apis: 1, workers: 0, settings: { LOG_LEVEL: 'error' } },
    ...{ nodeArguments: stand.nodeArguments, onNotice: stand.note },
  });
  await makeBareTable(machine);
  const raw = startChild('test/bench/peers/raw-http.ts', { DATABASE_URL: machine.databaseUrl });
  try {
    const { url } = await raw.ask({ ask: 'url' });
    for (const pair of await pairsOf(machine, url)) await compare(machine, stand, pair, report);
  } finally {
    raw.stop();
    await machine.close({ keepLogs: false });
  }
}

/** In turn, each first as often as the other. */
async function compare(machine: Machine, stand: Stand, pair: Pair, report: Report): Promise<void> {
  const { name, ours, limit, atLeast } = pair;
  const figures = { ours: [] as number[], limit: [] as number[], p99: [] as number[] };
  const measureLimit = async () => {
    await tidy(machine);
    figures.limit.push((await callInALoop(limit, { callers, seconds })).perSecond);
  };
  const measureOurs = async () => {
    await tidy(machine);
    const own = await callInALoop(ours, { callers, seconds });
    figures.ours.push(own.perSecond);
    figures.p99.push(own.p99Ms);
  };
  for (const request of [limit, ours]) await callInALoop(request, { callers, seconds: 2 });
  for (let round = 0; round < stand.rounds; round += 1) {
    const order = [measureLimit, measureOurs];
    for (const measure of round % 2 === 0 ? order : order.reverse()) await measure();
    const [own, bound] = [figures.ours.at(-1), figures.limit.at(-1)];
    stand.note(`${name} round ${String(round + 1)}: ${String(own)} beside ${String(bound)}`);
  }
  report.add(
    name,
    { value: figures.ours, unit: 'requests/s', limit: figures.limit },
    atLeast === undefined ? undefined : { of: 'ratio', atLeast },
  );
  report.add(`${name}.p99`, { value: figures.p99, isWorst: true, unit: 'ms' });
}

/**
 * Neither pays for what the other has left to be written, nor for plans of connections that were made
 * while the table was empty: Postgres itself replaces those half a minute after the first rows.
 */
async function tidy({ database }: Machine): Promise<void> {
  await database.read(
    async (sql) => {
      for (const index of ['contacts_email_text', 'contacts_tags']) {
        await sql`select gin_clean_pending_list(${index}::regclass)`;
      }
      await sql`analyze contacts`;
      await sql`checkpoint`;
    },
    { deadlineMs: 60_000 },
  );
}

async function makeBareTable({ database }: Machine): Promise<void> {
  await database.read(async (sql) => {
    await sql`create table bench_contacts (like contacts including defaults)`;
    await sql`
      alter table bench_contacts add primary key (team_id, id), add unique (team_id, unique_id)`;
    await sql`grant select, insert on bench_contacts to public`;
  });
}

async function pairsOf(machine: Machine, rawUrl: string): Promise<Pair[]> {
  const base = machine.bases[0] ?? '';
  const team = await newTeam(machine);
  const headers = { authorization: `Bearer ${team.token}` };
  const contact = await team.must('POST', '/v2/partner/contacts', { email: 'a@example.com' });
  for (let made = 0; made < 60; made += 1) {
    await team.must('POST', '/v2/partner/contacts', { email: `p${String(made)}@example.com` });
  }
  const account = await team.must('POST', `/v2/partner/contacts/${String(contact.id)}/accounts`, {
    kind: 'deposit',
    opened_at: '2026-01-01T00:00:00Z',
    balance_cents: 1_000,
  });
  const subscribed = await newTeam(machine);
  await subscribed.must('POST', '/v2/partner/webhook-subscriptions', {
    target_url: 'https://receiver.example/',
    event_types: ['contact.created'],
  });
  const get = (url: string): Request => ({ method: 'GET', url, headers });
  const bare = postContact(rawUrl, [subscribed]);
  return [
    {
      name: 'http.get_account',
      ours: get(`${base}/v2/partner/accounts/${String(account.id)}`),
      limit: get(`${rawUrl}/account/${team.id}/${String(account.id)}`),
      atLeast: 0.6,
    },
    {
      name: 'http.list_25',
      ours: get(`${base}/v2/partner/contacts`),
      limit: get(`${rawUrl}/contacts/${team.id}`),
      atLeast: 0.6,
    },
    {
      name: 'http.post_contact',
      ours: postContact(base, [subscribed]),
      limit: { ...bare, url: `${rawUrl}/insert-bare/${subscribed.id}` },
      atLeast: 0.5,
    },
    {
      // The same table: an index that goes makes both quicker.
      name: 'http.post_contact_to_the_same_table',
      ours: postContact(base, [subscribed]),
      limit: { ...bare, url: `${rawUrl}/insert/${subscribed.id}` },
    },
  ];
}
