import { compare, maxLateness, readBooks, readTransitions } from '../books.ts';
import { killAtRandom } from '../kills.ts';
import { comesTrue, offer } from '../../world/moments.ts';
import type { Report } from '../report.ts';
import { addContact, newSubscribedTeam, scheduleTemplate } from '../teams.ts';
import type { Team } from '../../world/teams.ts';
import type { World } from '../world.ts';

const teamCount = 20;
const templatesPerTeam = 2;
const perSecond = 200;
/** Nothing more is offered while so many wait, so that the drain is the service's, not the load's. */
const maxWaiting = 2_000;
const kinds = ['api', 'worker', 'postgres', 'temporal'] as const;

/**
 * Events are offered while every part is killed with -9 again and again: at the end nothing that
 * was acknowledged is lost, nothing is invented, and nothing was done twice.
 */
export async function spine(world: World, report: Report): Promise<void> {
  const { isShort, ledger } = world;
  const random = world.random.fork('spine');
  const times = isShort ? 2 : 10;
  const spanMs = isShort ? 8_000 : 45_000;
  const least = isShort ? 500 : 1_000;
  const teams = await Promise.all(
    Array.from({ length: teamCount }, () => newSubscribedTeam(world)),
  );
  const beginMs = Date.now() + 5_000;
  const templates = await Promise.all(
    teams
      .flatMap((team) => Array.from({ length: templatesPerTeam }, () => team))
      .map(async (team) => {
        const launchAtMs = random.between(beginMs, beginMs + spanMs);
        const expireAtMs = launchAtMs + random.between(6_000, 12_000);
        return { team, id: await scheduleTemplate(team, { launchAtMs, expireAtMs }), expireAtMs };
      }),
  );

  const acknowledged = new Map<Team, Set<string>>(teams.map((team) => [team, new Set()]));
  let refused = 0;
  let isOver = false;
  let made = 0;
  const receivedBefore = ledger.count();
  const waiting = () => made + receivedBefore - ledger.count();
  const stopTelling = tellProgress(world, waiting, () => made);
  const killing = Promise.all(
    kinds.map((kind) =>
      killAtRandom(world.victims[kind], {
        times,
        pauses: { shortestMs: 300, maxMs: isShort ? 3_000 : 4_000 },
        random: random.fork(kind),
        note: world.note,
      }),
    ),
  ).finally(() => (isOver = true));
  killing.catch(() => undefined);
  const load = {
    perSecond,
    limit: 256,
    // A slow machine goes on behind the last kill.
    until: () => isOver && made + refused >= least,
    holds: () => waiting() > maxWaiting,
  };
  const offered = await offer(load, async (index) => {
    const team = teams[index % teamCount];
    if (!team) return;
    const id = await addContact(team, `spine-${String(index)}`);
    if (id === undefined) refused += 1;
    else {
      acknowledged.get(team)?.add(id);
      made += 1;
    }
  });
  const offeredAtMs = performance.now();
  const lastFaultAtMs = Math.max(...(await killing), offeredAtMs);

  const isDrained = () =>
    templates.every(({ team, id }) => ledger.has(team.id, 'template.expired', id)) &&
    [...acknowledged].every(([team, contacts]) =>
      [...contacts].every((id) => ledger.has(team.id, 'contact.created', id)),
    );
  const lastDueAtMs = Math.max(...templates.map(({ expireAtMs }) => expireAtMs));
  const leftMs = Math.max(0, lastDueAtMs - Date.now());
  await comesTrue(isDrained, 120_000 + leftMs, 250);
  const drainedMs = performance.now() - lastFaultAtMs - leftMs;
  // A received event is recorded a moment later.
  await comesTrue(async () => (await readBooks(world, teams)).undelivered === 0, 30_000, 1_000);

  stopTelling();
  const books = await readBooks(world, teams);
  const found = compare(world, books, acknowledged);
  const ids = templates.map(({ id }) => id);
  const transitions = await readTransitions(world, ids);
  const kills = times * kinds.length;
  report.exactly('spine.kills', kills, times * kinds.length);
  report.atLeast('spine.events', offered, least);
  report.exactly('spine.unacknowledged', refused, 0);
  report.exactly('spine.lost', found.lost, 0);
  report.exactly('spine.invented', found.invented, 0);
  report.exactly('spine.contacts_beyond_keys', books.contacts.length - offered, 0);
  report.exactly('spine.events_doubled', found.doubled, 0);
  report.exactly('spine.copies_with_other_bytes', found.differing, 0);
  report.exactly('spine.undelivered', books.undelivered, 0);
  // Most kills of a full run meet no backlog; the two of a short run may both, and are too few for a
  // mean. A worker that is killed amid a backlog repeats some four posts for each subscription, and
  // at most the eight that a receiver which has become slow gets at a time.
  const killsOfService = times * 3;
  const maxDuplicates = isShort ? (times * teamCount * 8) / killsOfService : 10;
  report.atMost('spine.duplicates_per_kill', found.duplicates / killsOfService, maxDuplicates);
  const once = (wanted: string) =>
    transitions.filter(({ action, count }) => action === wanted && count === 1).length;
  report.exactly('spine.templates_expired_once', once('expire'), ids.length);
  // One whose launch was held up beyond its deadline expires without.
  report.atLeast('spine.templates_launched_once', once('launch'), 1);
  const doubled = transitions.filter(({ count }) => count > 1);
  report.exactly('spine.transitions_doubled', doubled.length, 0);
  report.exactly('spine.template_events_doubled', countDoubledEvents(books.events.values()), 0);
  report.atMost('spine.template_latest_seconds', (await maxLateness(world, ids)) / 1_000, 60);
  report.atMost('spine.drained_seconds', drainedMs / 1_000, 60);
}

function tellProgress({ note }: World, waiting: () => number, acknowledged: () => number) {
  const timer = setInterval(() => {
    note(`${acknowledged()} events acknowledged, ${waiting()} wait`);
  }, 5_000);
  return () => clearInterval(timer);
}

function countDoubledEvents(events: Iterable<{ type: string; resource_id: string }>): number {
  const seen = new Set<string>();
  let doubled = 0;
  for (const { type, resource_id } of events) {
    const key = `${type} ${resource_id}`;
    if (seen.has(key)) doubled += 1;
    seen.add(key);
  }
  return doubled;
}
