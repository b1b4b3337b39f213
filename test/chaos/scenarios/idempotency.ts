import { compare, readBooks } from '../books.ts';
import { persist } from '../../world/client.ts';
import { comesTrue } from '../../world/moments.ts';
import type { Report } from '../report.ts';
import { newSubscribedTeam } from '../teams.ts';
import type { World } from '../world.ts';

const pairBatch = 16;

/**
 * Every key is posted twice at once, through both API processes, while Postgres is killed: one
 * effect, one event and one answer for each.
 */
export async function idempotency(world: World, report: Report): Promise<void> {
  const { bases, postgres, isShort, ledger } = world;
  const random = world.random.fork('idempotency');
  const keys = isShort ? 400 : 2_000;
  const kills = isShort ? 3 : 10;
  const killAfter = Array.from({ length: kills }, (_, at) =>
    Math.floor(((at + random.between(0.2, 1)) * keys) / (kills + 0.5)),
  );
  const team = await newSubscribedTeam(world);
  const contacts = new Set<string>();
  let next = 0;
  let done = 0;
  let killed = 0;
  let unanswered = 0;
  let differing = 0;

  const post = (key: string, first: number) =>
    persist(bases, first, 'POST', '/v2/partner/contacts', {
      ...{ token: team.token, key, json: { email: `${key}@example.com` } },
    });
  async function work() {
    while (next < keys) {
      const key = `twice-${String((next += 1))}`;
      const replies = await Promise.all([post(key, 0), post(key, 1)]);
      done += 1;
      const [one, two] = replies;
      if (one.status !== 201 || two.status !== 201) unanswered += 1;
      else if (JSON.stringify(one.body) !== JSON.stringify(two.body)) differing += 1;
      if (one.status === 201) contacts.add(String(one.body.id));
    }
  }
  async function kill() {
    for (const after of killAfter) {
      await comesTrue(() => done >= after, 120_000, 5);
      postgres.signal('SIGKILL');
      killed += 1;
      await postgres.back();
    }
  }
  await Promise.all([kill(), ...Array.from({ length: pairBatch }, work)]);
  const isDrained = () => [...contacts].every((id) => ledger.has(team.id, 'contact.created', id));
  await comesTrue(isDrained, 60_000, 250);

  const books = await readBooks(world, [team]);
  const found = compare(world, books, new Map([[team, contacts]]));
  report.exactly('idempotency.kills', killed, kills);
  report.exactly('idempotency.keys', done, keys);
  report.exactly('idempotency.unanswered', unanswered, 0);
  report.exactly('idempotency.answers_that_differ', differing, 0);
  report.exactly('idempotency.effects', books.contacts.length, keys);
  report.exactly('idempotency.events', books.events.size, keys);
  report.exactly('idempotency.lost', found.lost, 0);
  report.exactly('idempotency.events_doubled', found.doubled, 0);
}
