import { comesTrue, offer } from '../../world/moments.ts';
import type { Team } from '../../world/teams.ts';
import { compare, readBooks } from '../books.ts';
import { killAtRandom } from '../kills.ts';
import type { Victim } from '../kills.ts';
import type { Report } from '../report.ts';
import { addContact, newSubscribedTeam } from '../teams.ts';
import type { World } from '../world.ts';

const teamCount = 20;
const perSecond = 200;
const sizes = {
  full: { events: 10_000, worker: 200, postgres: 10, temporal: 10 },
  short: { events: 1_000, worker: 20, postgres: 1, temporal: 1 },
};

/**
 * Workers are killed with -9 over and over while they post, and Postgres and Temporal now and then:
 * every event comes, none that was not recorded, and few of them twice.
 */
export async function deliveries(world: World, report: Report): Promise<void> {
  const { isShort, ledger, victims } = world;
  const random = world.random.fork('deliveries');
  const size = isShort ? sizes.short : sizes.full;
  const kills = size.worker + size.postgres + size.temporal;
  const teams = await Promise.all(
    Array.from({ length: teamCount }, () => newSubscribedTeam(world, ['contact.created'])),
  );

  let killed = 0;
  let isOver = false;
  const count = (line: string) => {
    killed += 1;
    if (killed % 10 === 0) world.note(`${line}; kill ${killed} of ${kills}, ${made} events made`);
  };
  const rounds = (name: string, victim: readonly Victim[], times: number, maxMs: number) =>
    killAtRandom(victim, {
      ...{ times, pauses: { shortestMs: 100, maxMs }, random: random.fork(name), note: count },
    });
  // Each worker by itself, so that both are away at times; the others as often as they go on.
  const share = size.worker / victims.worker.length;
  const spreadMs = (share * 4_000) / size.postgres;
  const killing = Promise.all([
    ...victims.worker.map((victim) => rounds(victim.name, [victim], share, 1_500)),
    rounds('postgres', victims.postgres, size.postgres, spreadMs),
    rounds('temporal', victims.temporal, size.temporal, spreadMs),
  ]).finally(() => (isOver = true));
  killing.catch(() => undefined);

  const acknowledged = new Map<Team, Set<string>>(teams.map((team) => [team, new Set()]));
  let begun = 0;
  let made = 0;
  let refused = 0;
  const load = {
    perSecond,
    limit: 256,
    until: () => begun >= size.events,
    // A share of the events goes with each kill, so that none of them finds nothing to do.
    holds: () => !isOver && begun >= (size.events * (killed + 1)) / kills,
  };
  const offered = await offer(load, async (index) => {
    begun += 1;
    const team = teams[index % teamCount];
    const id = team && (await addContact(team, `deliveries-${String(index)}`));
    if (team === undefined || id === undefined) refused += 1;
    else {
      acknowledged.get(team)?.add(id);
      made += 1;
    }
  });
  const lastKillAtMs = Math.max(...(await killing));

  const isDrained = () =>
    [...acknowledged].every(([team, contacts]) =>
      [...contacts].every((id) => ledger.has(team.id, 'contact.created', id)),
    );
  await comesTrue(isDrained, 180_000, 250);
  const drainedMs = performance.now() - lastKillAtMs;
  // A received event is recorded a moment later.
  await comesTrue(async () => (await readBooks(world, teams)).undelivered === 0, 30_000, 1_000);

  const books = await readBooks(world, teams);
  const found = compare(world, books, acknowledged);
  report.exactly('deliveries.kills', killed, kills);
  report.atLeast('deliveries.events', offered, size.events);
  report.exactly('deliveries.unacknowledged', refused, 0);
  report.exactly('deliveries.lost', found.lost, 0);
  report.exactly('deliveries.invented', found.invented, 0);
  report.exactly('deliveries.events_beyond_keys', books.contacts.length - offered, 0);
  report.exactly('deliveries.events_doubled', found.doubled, 0);
  report.exactly('deliveries.copies_with_other_bytes', found.differing, 0);
  report.exactly('deliveries.undelivered', books.undelivered, 0);
  report.atMost('deliveries.duplicates_per_kill', found.duplicates / kills, 10);
  report.atMost('deliveries.drained_seconds', drainedMs / 1_000, 60);
}
