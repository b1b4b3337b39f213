import type { Sql } from '../../../platform/database/sql.ts';
import type { Channel, ClaimedSend } from '../queries.ts';
import { ownsProvider, walkTeams } from '../waiting/queries.ts';
import type { OfferedTo } from '../waiting/queries.ts';

/** Numbers of messages to claim. */
export interface Rooms {
  /** By the channels that are looked at, through the providers of the settings. */
  shared: { channel: Channel; room: number }[];
  /** By teams that have their own providers. */
  own: { team_id: string; channel: Channel; room: number }[];
}

/** Messages of a team that is met for the first time; the next claim knows its providers. */
const firstRoom = 8;
const maxClaimed = 300;

interface Claim {
  /** Claims urgent messages, or the others. */
  isUrgent: boolean;
  /** Time at which they are due, RFC 3339. */
  asOf: string;
  leaseMs: number;
  offeredTo: OfferedTo;
}

/**
 * Claims due messages of a lane's queue for the duration of a lease, as many as their providers have
 * room for, with equal shares of the teams that share one. A message without an outcome when the
 * lease ends can be claimed a second time. The ids occur twice, since a plan from when the queue was
 * empty would scan all of it.
 */
export async function claimSends(
  sql: Sql,
  lane: number,
  { shared, own }: Rooms,
  { isUrgent, asOf, leaseMs, offeredTo }: Claim,
): Promise<ClaimedSend[]> {
  return sql<ClaimedSend[]>`
    with recursive requested as (
      select * from unnest(${shared.map(({ channel }) => channel)}::text[],
        ${shared.map(({ room }) => room)}::int[]) as requested (channel, room)
    ),
    known as (
      select * from unnest(${own.map(({ team_id }) => team_id)}::uuid[],
        ${own.map(({ channel }) => channel)}::text[], ${own.map(({ room }) => room)}::int[])
        as known (team_id, channel, room)
    ),
    ${walkTeams(sql, lane)},
    queues as (
      select q.channel, q.team_id, owner.id as owner_id,
        case when owner.id is null then q.room else coalesce(known.room, ${firstRoom}) end as room
      from walk q
      cross join lateral (
        select case when ${ownsProvider(sql, offeredTo)} then q.team_id end as id
      ) owner
      left join known on known.team_id = q.team_id and known.channel = q.channel
      where q.team_id is not null
    ),
    due as materialized (
      select q.channel, q.owner_id, q.room, d.team_id, d.id,
        row_number() over (
          partition by q.channel, d.team_id order by d.next_attempt_at) as turn
      from queues q cross join lateral (
        select team_id, id, next_attempt_at from message_sends
        where lane = ${lane} and channel = q.channel and team_id = q.team_id
          and is_urgent = ${isUrgent} and next_attempt_at <= ${asOf}
        order by next_attempt_at limit q.room
        for update skip locked
      ) d
    ),
    chosen as materialized (
      select team_id, id from (
        select team_id, id, room, row_number() over (
          partition by channel, owner_id order by turn, team_id) as place
        from due
      ) placed
      where place <= room
      order by place limit ${maxClaimed}
    )
    update message_sends s
    set is_claimed = true,
      next_attempt_at = ${asOf}::timestamptz + make_interval(secs => ${leaseMs / 1_000})
    from chosen
    where s.team_id = chosen.team_id and s.id = chosen.id
      and s.team_id = any(array(select team_id from chosen))
      and s.id = any(array(select id from chosen))
    returning s.team_id, s.id, s.channel, s.delivery_inserted_at, s.attempts, s.providers_passed,
      s.test_message_id, s.sealed_test_address, s.is_urgent, s.template_version, s.sealed_data,
      s.notice`;
}
