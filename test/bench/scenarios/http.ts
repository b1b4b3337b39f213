import { startChild } from '../child.ts';
import { callInALoop } from '../load.ts';
import type { Request } from '../load.ts';
import { median } from '../report.ts';
import type { Report } from '../report.ts';
import { cpuBetween, postContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const callers = 50;
const seconds = 4;

/** The API compared with node:http and the same query only, in turn. */
export async function http(stand: Stand, report: Report): Promise<void> {
  const { machine, base, rounds, note } = stand;
  const raw = startChild('test/bench/peers/raw-http.ts', { DATABASE_URL: machine.databaseUrl });
  const { url: rawUrl } = await raw.ask({ ask: 'url' });
  const team = await stand.newTeam();
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
  const subscribed = await stand.newSubscribedTeam(1);
  const bare = postContact(rawUrl, subscribed);
  const get = (url: string): Request => ({ method: 'GET', url, headers });
  const pairs = [
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
      ours: postContact(base, subscribed),
      limit: { ...bare, url: `${rawUrl}/insert/${subscribed.id}` },
      atLeast: 0.5,
    },
  ];
  try {
    for (const { name, ours, limit, atLeast } of pairs) {
      const figures = { ours: [] as number[], limit: [] as number[], p99: [] as number[] };
      const isWrite = ours.method === 'POST';
      // The worker stands still, so that accepting is measured and not delivering.
      if (isWrite) for (const worker of machine.workers) worker.pause();
      try {
        for (const request of [limit, ours]) await callInALoop(request, { callers, seconds: 2 });
        for (let round = 0; round < rounds; round += 1) {
          const bound = await callInALoop(limit, { callers, seconds });
          const before = stand.cpu();
          const own = await callInALoop(ours, { callers, seconds });
          const used = cpuBetween(before, stand.cpu());
          note(JSON.stringify(used));
          figures.limit.push(bound.perSecond);
          figures.ours.push(own.perSecond);
          figures.p99.push(own.p99Ms);
          note(`${name} round ${String(round + 1)}: ${own.perSecond} beside ${bound.perSecond}`);
        }
      } finally {
        if (isWrite) await forgetDeliveries(stand);
        if (isWrite) for (const worker of machine.workers) worker.resume();
      }
      const value = median(figures.ours);
      const about = { value, unit: 'requests/s', limit: median(figures.limit) };
      report.add(name, about, { of: 'ratio', atLeast });
      report.add(`${name}.p99`, { value: median(figures.p99), unit: 'ms' });
    }
  } finally {
    raw.stop();
  }
}

/** Deletes accepted events, so that they are not delivered during the next scenario. */
async function forgetDeliveries({ machine }: Stand): Promise<void> {
  await machine.database.transact((sql) => sql`truncate webhook_deliveries, webhook_events`, {
    deadlineMs: 60_000,
  });
}
