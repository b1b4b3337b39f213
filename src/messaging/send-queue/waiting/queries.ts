import type { Sql } from '../../../platform/database/sql.ts';
import { isEntitled } from '../../sending-providers/rights/queries.ts';
import type { Channel } from '../queries.ts';

/** Messages that one statement puts off: some tens of milliseconds. */
const putOffAtOnce = 5_000;

/** Time until which due messages of a lane are postponed, without counting an attempt. */
interface PutOff {
  asOf: string;
  until: string;
}

/** Teams that may send through the providers of the settings; undefined: all of them. */
export type OfferedTo = readonly string[] | undefined;

/**
 * Condition that the team of `q`, a queue or an entry of it, sends nothing of its channel through
 * the provider of the settings: it has one of its own, or may not use that one.
 */
export function ownsProvider(sql: Sql, offeredTo: OfferedTo) {
  const owns = sql`exists (
    select from sending_providers p
    join teams t on t.id = p.team_id
    where p.team_id = q.team_id and p.channel = q.channel and p.is_active
      and p.deleted_at is null
      and (p.released_at is not null or not t.requires_provider_release)
      and ${sql.unsafe(isEntitled('p'))})`;
  if (offeredTo === undefined) return owns;
  return sql`(${owns} or q.team_id <> all(${[...offeredTo]}::uuid[]))`;
}

/**
 * Part of a statement with the table `requested (channel, room)`: `walk` has each team with entries in
 * the lane, by one index probe for each, however many entries it has; the last row has none.
 */
export function walkTeams(sql: Sql, lane: number) {
  return sql`
    walk (channel, room, team_id) as (
      select w.channel, w.room, (
        select team_id from message_sends
        where lane = ${lane} and channel = w.channel
        order by team_id limit 1)
      from requested w /* any team: lanes serve all */
      union all
      select walk.channel, walk.room, (
        select team_id from message_sends
        where lane = ${lane} and channel = walk.channel and team_id > walk.team_id
        order by team_id limit 1)
      from walk where walk.team_id is not null
    )`;
}

/**
 * Postpones due messages of a channel in a lane until the next probe of the provider of the
 * settings. Returns their number, up to the limit of a statement.
 */
export async function putOffChannel(
  sql: Sql,
  lane: number,
  channel: Channel,
  { asOf, until, offeredTo }: PutOff & { offeredTo: OfferedTo },
): Promise<number> {
  const rows = await sql`
    with recursive requested as (
      select ${channel}::text as channel, ${putOffAtOnce}::int as room
    ),
    ${walkTeams(sql, lane)}
    update message_sends s set is_claimed = false, next_attempt_at = ${until}
    from (
      select m.team_id, m.id from walk q
      cross join lateral (
        select team_id, id from message_sends
        where lane = ${lane} and channel = q.channel and team_id = q.team_id
          and next_attempt_at <= ${asOf}
        limit q.room
        for update skip locked
      ) m
      where q.team_id is not null and not ${ownsProvider(sql, offeredTo)}
      limit ${putOffAtOnce}
    ) due
    where s.team_id = due.team_id and s.id = due.id /* any team: lanes serve all */`;
  return rows.count;
}

/** A channel of a team whose providers accept nothing until then. */
export interface HaltedTeam {
  team_id: string;
  channel: Channel;
  until: string;
}

/** Does the same for teams with providers of their own, each until its next probe. */
export async function putOffTeams(
  sql: Sql,
  lane: number,
  halted: readonly HaltedTeam[],
  asOf: string,
): Promise<number> {
  const rows = await sql`
    update message_sends s set is_claimed = false, next_attempt_at = due.until
    from (
      select q.team_id, q.id, h.until
      from unnest(${halted.map(({ team_id }) => team_id)}::uuid[],
        ${halted.map(({ channel }) => channel)}::text[],
        ${halted.map(({ until }) => until)}::timestamptz[]) as h (team_id, channel, until)
      cross join lateral (
        select team_id, id from message_sends
        where lane = ${lane} and channel = h.channel and team_id = h.team_id
          and next_attempt_at <= ${asOf}
        limit ${putOffAtOnce}
        for update skip locked
      ) q
      limit ${putOffAtOnce}
    ) due
    where s.team_id = due.team_id and s.id = due.id /* any team: lanes serve all */`;
  return rows.count;
}

/** Puts off what is due of a template in a lane, so that it is not in the way of others. */
export async function putOffTemplate(
  sql: Sql,
  lane: number,
  { team_id, template_id }: { team_id: string; template_id: string },
  { asOf, until }: PutOff,
): Promise<void> {
  await sql`
    update message_sends s set is_claimed = false, next_attempt_at = ${until}
    from (
      select q.id from message_sends q
      cross join lateral (
        select template_id from message_deliveries
        where team_id = q.team_id and id between q.id and q.id
          and inserted_at between q.delivery_inserted_at and q.delivery_inserted_at
        order by id, inserted_at
        limit 1
      ) d
      where q.lane = ${lane} and q.channel in ('email', 'sms', 'push') and q.team_id = ${team_id}
        and q.next_attempt_at <= ${asOf} and d.template_id = ${template_id}
      limit ${putOffAtOnce}
      for update of q skip locked
    ) due
    where s.team_id = ${team_id} and s.id = due.id`;
}

/**
 * Removes a delivery from the queue, and returns false if it is being sent. The caller has locked
 * its row.
 */
export async function withdrawSend(sql: Sql, teamId: string, id: string): Promise<boolean> {
  const [row] = await sql<{ is_claimed: boolean }[]>`
    select is_claimed and next_attempt_at > clock_timestamp() as is_claimed
    from message_sends where team_id = ${teamId} and id = ${id}
    for update`;
  if (row?.is_claimed) return false;
  await sql`delete from message_sends where team_id = ${teamId} and id = ${id}`;
  return true;
}
