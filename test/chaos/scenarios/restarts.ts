import { compare, readBooks } from '../books.ts';
import { send } from '../../world/client.ts';
import { comesTrue, pause } from '../../world/moments.ts';
import type { Report } from '../report.ts';
import { newSubscribedTeam } from '../teams.ts';
import type { Team } from '../../world/teams.ts';
import type { World } from '../world.ts';

const signals = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;
const writersPerApi = 6;
/** Waiting for a connection and working, once for the token and once for the request. */
const maxAnswerMs = 2 * (2_000 + 5_000);

interface Answered {
  base: string;
  status: number;
  endedAtMs: number;
  ms: number;
}

/**
 * Postgres is restarted in all its ways under load: no process hangs or dies, the first success
 * follows immediately after each restart, and every connection of the pools works afterwards.
 */
export async function restarts(world: World, report: Report): Promise<void> {
  const { postgres, bases, isShort } = world;
  const random = world.random.fork('restarts');
  const team = await newSubscribedTeam(world);
  const contacts = new Set<string>();
  const answers: Answered[] = [];
  let isOver = false;
  let calls = 0;

  async function write(base: string) {
    while (!isOver) {
      calls += 1;
      const key = `restarts-${String(calls)}`;
      const json = { email: `${key}@example.com` };
      const call = { token: team.token, key, json };
      const { status, body, ms } = await send(base, 'POST', '/v2/partner/contacts', call);
      answers.push({ base, status, endedAtMs: performance.now(), ms });
      if (status === 201) contacts.add(String(body.id));
      await pause(status === 201 ? 5 : 25);
    }
  }
  const writing = bases.flatMap((base) => Array.from({ length: writersPerApi }, () => write(base)));

  const firstSuccesses: number[] = [];
  const times = isShort ? 6 : 24;
  for (let restart = 0; restart < times; restart += 1) {
    await pause(random.between(200, isShort ? 800 : 1_500));
    postgres.signal(signals[restart % signals.length] ?? 'SIGKILL');
    await postgres.back();
    const backAtMs = performance.now();
    for (const base of bases) {
      const first = () =>
        answers.find(
          (answer) => answer.base === base && answer.status === 201 && answer.endedAtMs > backAtMs,
        );
      await comesTrue(() => first() !== undefined, 20_000, 10);
      firstSuccesses.push((first()?.endedAtMs ?? Infinity) - backAtMs);
    }
  }
  await pause(1_000);
  isOver = true;
  await Promise.all(writing);

  report.exactly('restarts.restarts', firstSuccesses.length / bases.length, times);
  report.atLeast('restarts.writes', contacts.size, times * 10);
  report.atMost('restarts.first_success_seconds', Math.max(...firstSuccesses) / 1_000, 2);
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  report.atMost('restarts.slowest_answer_seconds', slowest / 1_000, maxAnswerMs / 1_000);
  const expected = [201, 503];
  const others = answers.filter(({ status }) => !expected.includes(status));
  report.exactly('restarts.answers_other_than_201_and_503', others.length, 0);
  report.exactly('restarts.poisoned', await countPoisoned(world, team), 0);
  report.exactly('restarts.sessions_left_in_a_transaction', await countIdleInTransaction(world), 0);

  const acknowledged = new Map([[team, contacts]]);
  const isDrained = () =>
    [...contacts].every((id) => world.ledger.has(team.id, 'contact.created', id));
  await comesTrue(isDrained, 60_000, 250);
  const found = compare(world, await readBooks(world, [team]), acknowledged);
  report.exactly('restarts.lost', found.lost, 0);
  report.exactly('restarts.copies_with_other_bytes', found.differing, 0);
}

/** Reads that fail or are slow when each connection of each pool has to take part. */
async function countPoisoned({ bases }: World, { token }: Team): Promise<number> {
  let poisoned = 0;
  for (let round = 0; round < 5; round += 1) {
    const replies = await Promise.all(
      bases.flatMap((base) =>
        Array.from({ length: 40 }, () =>
          send(base, 'GET', '/v2/partner/contacts?page[size]=1', { token }),
        ),
      ),
    );
    poisoned += replies.filter(({ status, ms }) => status !== 200 || ms > 5_000).length;
  }
  return poisoned;
}

async function countIdleInTransaction({ database }: World): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where state like 'idle in transaction%' and state_change < now() - interval '1 second'`,
  );
  return row?.count ?? 0;
}
