import { compare, countUndelivered, maxLateness, readBooks } from '../books.ts';
import { send } from '../../world/client.ts';
import type { Reply } from '../../world/client.ts';
import { comesTrue, mustComeTrue, offer, pause, percentile } from '../../world/moments.ts';
import type { Report } from '../report.ts';
import { addContact, newSubscribedTeam, scheduleTemplate } from '../teams.ts';
import type { Team } from '../../world/teams.ts';
import type { World } from '../world.ts';

const perSecond = 30;

/** Temporal is away for a while, and then forgets everything: the rows are what counts. */
export async function temporalAway(world: World, report: Report): Promise<void> {
  await stopped(world, report);
  await forgotten(world, report);
}

/** Stopped: writes succeed as always; what was due meanwhile happens when it is back. */
async function stopped(world: World, report: Report): Promise<void> {
  const { temporal, bases, ledger, isShort } = world;
  const awayMs = isShort ? 15_000 : 60_000;
  const team = await newSubscribedTeam(world);
  const now = Date.now();
  const template = await scheduleTemplate(team, {
    launchAtMs: now + 2_000,
    expireAtMs: now + 8_000,
  });
  await comesTrue(() => ledger.has(team.id, 'template.launched', template), 6_000);

  await temporal.stop();
  const until = performance.now() + awayMs;
  const replies: Reply[] = [];
  const contacts = new Set<string>();
  await offer({ perSecond, limit: 64, until: () => performance.now() > until }, async (index) => {
    const json = { email: `away-${String(index)}@example.com` };
    const base = bases[index % bases.length] ?? '';
    const call = { token: team.token, key: `away-${String(index)}`, json };
    const reply = await send(base, 'POST', '/v2/partner/contacts', call);
    replies.push(reply);
    if (reply.status === 201) contacts.add(String(reply.body.id));
  });
  await temporal.start();
  const backAt = performance.now();
  await comesTrue(() => ledger.has(team.id, 'template.expired', template), 60_000);
  const expiredAfterMs = performance.now() - backAt;
  const isDrained = () => [...contacts].every((id) => ledger.has(team.id, 'contact.created', id));
  await comesTrue(isDrained, 60_000, 100);
  const drainedMs = performance.now() - backAt;

  const refused = replies.filter(({ status }) => status !== 201).length;
  report.atLeast('temporal_away.writes', replies.length, (perSecond * awayMs) / 2_000);
  report.exactly('temporal_away.writes_refused', refused, 0);
  const p99 = percentile(
    replies.map(({ ms }) => ms),
    0.99,
  );
  report.atMost('temporal_away.write_p99_ms', p99, 2_000);
  report.atMost('temporal_away.expired_seconds_after_return', expiredAfterMs / 1_000, 15);
  report.atMost('temporal_away.drained_seconds_after_return', drainedMs / 1_000, 60);
  const found = compare(world, await readBooks(world, [team]), new Map([[team, contacts]]));
  report.exactly('temporal_away.lost', found.lost, 0);
  report.exactly('temporal_away.invented', found.invented, 0);
}

/** Its store deleted: templates and deliveries, those in recovery too, go on from their rows. */
async function forgotten(world: World, report: Report): Promise<void> {
  const { temporal, ledger, database } = world;
  const healthy = await newSubscribedTeam(world);
  const troubled = await newSubscribedTeam(world);
  ledger.answer(troubled.id, 500);
  const acknowledged = new Map<Team, Set<string>>([
    [healthy, new Set()],
    [troubled, new Set()],
  ]);
  let keys = 0;
  async function addTo(team: Team, count: number) {
    for (let added = 0; added < count; added += 1) {
      keys += 1;
      const id = await addContact(team, `forgotten-${String(keys)}`);
      if (id !== undefined) acknowledged.get(team)?.add(id);
    }
  }
  await addTo(troubled, 20);
  const isHeld = async () => {
    const [state] = await database.read(
      (sql) => sql<{ owned_by_recovery: boolean }[]>`
        select owned_by_recovery from webhook_subscription_states where team_id = ${troubled.id}`,
    );
    return state?.owned_by_recovery === true;
  };
  await mustComeTrue('the recovery holds the subscription', isHeld, 30_000);
  const now = Date.now();
  const templates = await Promise.all(
    [4_000, 8_000, 12_000].map((launchInMs) =>
      scheduleTemplate(healthy, {
        launchAtMs: now + launchInMs,
        expireAtMs: now + launchInMs + 4_000,
      }),
    ),
  );

  await temporal.stop();
  await temporal.deleteStore();
  await addTo(healthy, 20);
  await addTo(troubled, 20);
  await pause(2_000);
  await temporal.start();
  const backAt = performance.now();
  ledger.answer(troubled.id, 204);
  const teamIds = [healthy.id, troubled.id];
  await comesTrue(async () => (await countUndelivered(database, teamIds)) === 0, 60_000, 250);
  report.atMost('temporal_forgets.drained_seconds', (performance.now() - backAt) / 1_000, 60);
  const lastDueMs = Math.max(0, now + 16_000 - Date.now());
  const areExpired = () => templates.every((id) => ledger.has(healthy.id, 'template.expired', id));
  await comesTrue(areExpired, lastDueMs + 60_000, 250);
  const expired = templates.filter((id) => ledger.has(healthy.id, 'template.expired', id));
  report.exactly('temporal_forgets.templates_expired', expired.length, templates.length);
  const lateMs = await maxLateness(world, templates);
  report.atMost('temporal_forgets.template_latest_seconds', lateMs / 1_000, 15);
  const found = compare(world, await readBooks(world, [healthy, troubled]), acknowledged);
  report.exactly('temporal_forgets.lost', found.lost, 0);
  report.exactly('temporal_forgets.invented', found.invented, 0);
  report.exactly('temporal_forgets.copies_with_other_bytes', found.differing, 0);
}
