import { randomUUID } from 'node:crypto';
import { startChild } from '../child.ts';
import { median } from '../report.ts';
import type { Report } from '../report.ts';
import { cpuBetween } from '../stand.ts';
import type { Stand } from '../stand.ts';

const waiting = 20_000;
const underWay = 64;

/** Deliveries that wait, posted and written down, beside a loop that signs and posts only. */
export async function drain(stand: Stand, report: Report): Promise<void> {
  const { sink, sinkUrl, rounds, note } = stand;
  const loop = startChild('test/bench/peers/signed-loop.ts');
  const variants = [
    { name: 'drain.20_subscriptions', team: await stand.newSubscribedTeam(20), of: 20 },
    { name: 'drain.1_subscription', team: await stand.newSubscribedTeam(1), of: 1 },
  ];
  try {
    for (const { name, team } of variants) {
      const ours: number[] = [];
      const limits: number[] = [];
      const cpu: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const bodies = Array.from({ length: waiting }, () => bodyOf(team.id));
        await sink.ask({ ask: 'reset' });
        const limit: number = await loop.ask({ url: sinkUrl, bodies, underWay });
        await sink.ask({ ask: 'reset' });
        const before = stand.cpu();
        const startedAtMs = await putWaiting(stand, team.id, bodies);
        if (!(await stand.sinkHas(waiting, 120_000))) throw new Error(`${name} did not drain`);
        const { lastAtMs } = await sink.ask({ ask: 'count' });
        const perSecond = waiting / ((lastAtMs - startedAtMs) / 1_000);
        await untilSettled(stand, team.id);
        note(
          `${name} round ${String(round)}: ${String(perSecond)} beside ${String(limit)} ${JSON.stringify(cpuBetween(before, stand.cpu()))}`,
        );
        if (round === 0) continue;
        ours.push(perSecond);
        limits.push(limit);
        cpu.push(cpuBetween(before, stand.cpu()).all / (waiting / 1_000));
      }
      const value = median(ours);
      const about = { value, unit: 'deliveries/s', limit: median(limits) };
      report.add(name, about, { of: 'ratio', atLeast: 0.35 });
      report.add(`${name}.rate`, { value, unit: 'deliveries/s' }, { of: 'value', atLeast: 3_000 });
      report.add(`${name}.cpu`, { value: median(cpu), unit: 'CPU-s per 1,000' });
    }
  } finally {
    loop.stop();
  }
}

/** As large as the event of a contact with the usual fields. */
function bodyOf(teamId: string): string {
  const id = randomUUID();
  const head = { id: randomUUID(), type: 'contact.created', timestamp: new Date().toISOString() };
  return JSON.stringify({
    ...head,
    team_id: teamId,
    api_version: 'v2',
    sequence: 1,
    data: {
      id,
      type: 'contact',
      team_id: teamId,
      email: `${id}@example.com`,
      note: 'x'.repeat(300),
    },
  });
}

/** Events and deliveries as a burst of writes would have left them; returns when they were there. */
async function putWaiting({ machine }: Stand, teamId: string, bodies: readonly string[]) {
  const events = bodies.map((body, index) => ({ id: JSON.parse(body).id, body, index }));
  return machine.database.transact(
    async (sql) => {
      await sql`
        with events as (
          select * from json_to_recordset(${sql.json(events)}::json)
            as e (id uuid, body text, index int)
        ),
        stored as (
          insert into webhook_events (day, id, team_id, type, resource_id, sequence, body, inserted_at)
          select current_date, id, ${teamId}::uuid, 'contact.created', id, 1, body, now()
          from events
        ),
        subscriptions as (
          select id, shard, row_number() over (order by id) - 1 as number, count(*) over () as of
          from webhook_subscriptions where team_id = ${teamId}
        )
        insert into webhook_deliveries
          (day, id, team_id, subscription_id, event_id, event_type, shard, status, next_attempt_at,
           renewed_at, inserted_at, updated_at)
        select current_date, gen_random_uuid(), ${teamId}::uuid, s.id, e.id, 'contact.created',
          s.shard, 'pending', now(), now(), now(), now()
        from events e join subscriptions s on s.number = e.index % s.of`;
      await sql`
        select pg_notify('onward_work', string_agg(distinct 'shard ' || shard, ','))
        from webhook_subscriptions where team_id = ${teamId}`;
      return performance.timeOrigin + performance.now();
    },
    { deadlineMs: 60_000 },
  );
}

async function untilSettled({ machine }: Stand, teamId: string): Promise<void> {
  for (;;) {
    const [row] = await machine.database.read(
      (sql) => sql<[{ open: number }]>`
        select count(*)::int as open from webhook_deliveries
        where team_id = ${teamId} and status = 'pending'`,
    );
    if (row.open === 0) return;
  }
}
