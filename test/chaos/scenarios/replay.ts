import { comesTrue } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { killAtRandom } from '../kills.ts';
import type { Report } from '../report.ts';
import { newReceiver } from './inbound.ts';
import type { World } from '../world.ts';

const patient = { deadlineMs: 300_000 };

/**
 * Everything that came in at a receiver is replayed while workers and Temporal are killed: each
 * delivery once, each of its events once, and a replay that is canceled stands still.
 */
export async function replay(world: World, report: Report): Promise<void> {
  const { database, isShort, note, victims } = world;
  const random = world.random.fork('replay');
  const deliveries = isShort ? 10_000 : 100_000;
  const kills = isShort ? 2 : 10;
  const team = await newTeam(world);
  const { id: receiverId, contactKey } = await newReceiver(team);
  await storeFailed(world, team, { receiverId, contactKey, deliveries });
  const base = `/v2/webhooks/inbound/${receiverId}`;
  const ask = async (rate: number) => {
    const body = { filter: { status: ['failed', 'processed'] }, rate_per_second: rate };
    const { id } = await team.must('POST', `${base}/replay`, body);
    return `${base}/replays/${String(id)}`;
  };
  const at = (path: string) => team.must('GET', path);

  const slow = await ask(50);
  await comesTrue(async () => (await at(slow)).replayed > 0, 60_000);
  const canceled = await team.must('POST', `${slow}/cancel`);
  const startedAtMs = performance.now();
  const whole = await ask(10_000);
  const seen = new Set<number>();
  const isOver = async () => {
    const { status, replayed } = await at(whole);
    seen.add(replayed);
    return status === 'completed';
  };
  const plan = { random, note, pauses: { shortestMs: 500, maxMs: isShort ? 1_500 : 6_000 } };
  const [hasEnded] = await Promise.all([
    comesTrue(isOver, 600_000, 200),
    killAtRandom([...victims.worker, ...victims.temporal], { ...plan, times: kills }),
  ]);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const done = await at(whole);
  const again = await ask(10_000);
  const hasEndedAgain = await comesTrue(
    async () => (await at(again)).status === 'completed',
    600_000,
    200,
  );

  const [books] = await database.read(
    (sql) => sql<[{ events: number; replays: number; unprocessed: number }]>`
      select
        (select count(*)::int from engagement_events where team_id = ${team.id}) as events,
        sum(replay_count)::int as replays,
        count(*) filter (where status <> 'processed')::int as unprocessed
      from inbound_deliveries where team_id = ${team.id}`,
    patient,
  );
  const stopped = await at(slow);
  report.exactly('replay.deliveries', done.matched, deliveries);
  report.exactly('replay.kills', kills, kills);
  report.exactly('replay.ended', Number(hasEnded) + Number(hasEndedAgain), 2);
  report.exactly('replay.replayed', done.replayed, deliveries);
  report.exactly('replay.failed', done.failed, 0);
  report.exactly('replay.unprocessed', books.unprocessed, 0);
  report.exactly('replay.counted', books.replays - 2 * deliveries, Number(stopped.replayed));
  report.exactly('replay.engagement_events', books.events, deliveries);
  report.exactly('replay.after_cancel', stopped.replayed - canceled.replayed, 0);
  report.atLeast('replay.progress_seen', seen.size, isShort ? 2 : 5);
  report.atMost('replay.seconds', seconds, isShort ? 120 : 420);
}

interface Failed {
  receiverId: string;
  contactKey: string;
  deliveries: number;
}

/** Deliveries that came in the hour before and could not be applied. */
async function storeFailed(
  { database }: World,
  { id: teamId }: Team,
  { receiverId, contactKey, deliveries }: Failed,
): Promise<void> {
  await database.read(
    (sql) => sql`
      insert into inbound_deliveries (day, id, team_id, receiver_id, receiver_kind, status, mode,
        signature_status, http_status, event_type, dedup_key, payload, headers, size_bytes,
        body_sha256, attempts, received_at)
      select (at at time zone 'UTC')::date, id, ${teamId}, ${receiverId}, 'generic_hmac', 'failed',
        'native', 'verified', 200, 'account.funded', id::text,
        jsonb_build_object('kind', 'generic_hmac', 'event_type', 'account.funded',
          'event_id', id, 'contact_unique_id', ${contactKey}::text,
          'occurred_at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        '{}', 200, '00', 1, at
      from (
        select gen_random_uuid() as id,
          now() - interval '1 hour' + n * interval '10 milliseconds' as at
        from generate_series(1, ${deliveries}::int) n
      ) stored`,
    patient,
  );
}
