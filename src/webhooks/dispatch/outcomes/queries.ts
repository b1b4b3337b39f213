import type { Sql } from '../../../platform/database/sql.ts';
import { dayLiteral } from '../../../platform/database/day.ts';
import type { DueDelivery } from '../queries.ts';

/** Result of an attempt, as it is stored. */
export interface AttemptOutcome {
  day: string;
  id: string;
  /** The value at the claim; a different one means that the delivery was restarted since. */
  renewed_at: string;
  status: 'delivered' | 'retrying' | 'failed';
  /** Whether the attempt used up a step of the schedule; a failed probe does not. */
  uses_step: boolean;
  next_attempt_at: string | null;
  trigger: string;
  url: string;
  remote_ip: string | null;
  requested_at: string;
  responded_at: string | null;
  duration_ms: number;
  http_status: number | null;
  response_headers: Readonly<Record<string, string>> | null;
  response_body: string | null;
  response_truncated: boolean;
  error_code: string | null;
  error_detail: string | null;
}

/** The answer of a receiver, or the reason why there is none. */
const answerTo = (made: AttemptOutcome) => ({
  url: made.url,
  remote_ip: made.remote_ip,
  http_status: made.http_status,
  response_headers: made.response_headers,
  response_body: made.response_body,
  response_truncated: made.response_truncated,
  error_code: made.error_code,
  error_detail: made.error_detail,
});

/**
 * Each distinct answer once, and for each outcome the number of its answer. Receivers often answer
 * the same, and parsing it is most of the cost of storing an attempt.
 */
function distinctAnswers(outcomes: readonly AttemptOutcome[]) {
  const answers: (ReturnType<typeof answerTo> & { answer: number })[] = [];
  const numbers = new Map<string, number>();
  const answerOf = outcomes.map((outcome) => {
    const given = answerTo(outcome);
    const text = JSON.stringify(given);
    const number = numbers.get(text) ?? answers.length;
    if (number === answers.length) {
      numbers.set(text, number);
      answers.push({ ...given, answer: number });
    }
    return number;
  });
  return { answers, answerOf };
}

/** Right to record results: the lease of a lane or of the recovery of a subscription. */
export type Fence =
  { lane: number; token: number } | { teamId: string; subscriptionId: string; token: number };

/** Locks the fence for this transaction; returns no row if another worker has it. */
function fenceOf(sql: Sql, fence: Fence) {
  return 'lane' in fence
    ? sql`
        select from webhook_lanes
        where lane = ${fence.lane} and token = ${fence.token}
        for share`
    : sql`
        select from webhook_subscription_states
        where team_id = ${fence.teamId} and subscription_id = ${fence.subscriptionId}
          and recovery_token = ${fence.token}
        for update`;
}

/** Deliveries of one subscription that were still open when their attempts were stored. */
interface Recorded {
  team_id: string;
  subscription_id: string;
  trigger: string;
  ids: string[];
  /** Deliveries that were restarted meanwhile and are due again; the outcome is ignored. */
  renewed_ids: string[];
  /** A success must reset its failure count and breaker. */
  was_failing: boolean;
}

/** The fence is lost, or a subscription was failing; nothing was written. */
export type Refusal = 'lost' | 'failing';

/** Whether a success must reset the state t of its subscription. */
const isFailing = `(t.consecutive_permanent_failures > 0 or t.window_failures > 0
  or t.probe_at is not null)`;

/**
 * Stores attempts of one day and the new state of their deliveries, and the time of the last
 * delivery of their subscriptions, at most once a second. Returns the deliveries that were open.
 * One that was canceled or over meanwhile keeps its state. One that was started over meanwhile
 * (by a retry or replay) stays pending, unless it was delivered. Refuses if a subscription of
 * `expectedHealthy` was failing, or if the fence is lost; then nothing was written.
 */
export async function recordOutcomes(
  sql: Sql,
  fence: Fence,
  day: string,
  outcomes: readonly AttemptOutcome[],
  expectedHealthy: readonly { team_id: string; subscription_id: string }[] = [],
): Promise<Recorded[] | Refusal> {
  const { answers, answerOf } = distinctAnswers(outcomes);
  const column = <K extends keyof AttemptOutcome>(name: K) => outcomes.map((one) => one[name]);
  const ids = column('id');
  const steps = outcomes.map(({ uses_step }) => Number(uses_step));
  const onDay = dayLiteral(sql, day);
  const decides = sql`(d.renewed_at = r.renewed_at or r.status = 'delivered')`;
  const rows = await sql<(Recorded & { refusal: Refusal | null; is_empty: boolean })[]>`
    with fence as materialized (${fenceOf(sql, fence)}),
    refused as materialized (${refusalOf(sql, expectedHealthy)}),
    answers as materialized (
      select * from json_to_recordset(${sql.json(answers)}::json) as a (
        answer int, url text, remote_ip text, http_status int, response_headers jsonb,
        response_body text, response_truncated boolean, error_code text, error_detail text
      )
    ),
    results as materialized (
      -- The series lets the planner expect a thousand rows. Of ten, which it expects of an array, it
      -- would compare each with each.
      select * from rows from (
        unnest(${ids}::uuid[], ${column('renewed_at')}::timestamptz[], ${column('status')}::text[],
          ${steps}::int[], ${column('next_attempt_at')}::timestamptz[],
          ${column('trigger')}::text[], ${column('requested_at')}::timestamptz[],
          ${column('responded_at')}::timestamptz[], ${column('duration_ms')}::int[],
          ${answerOf}::int[]),
        generate_series(1, ${ids.length}::int)
      ) as r (
        id, renewed_at, status, steps, next_attempt_at, trigger, requested_at, responded_at,
        duration_ms, answer, place
      )
      join answers using (answer)
      where exists (select from refused where refusal is null)
    ),
    recorded as (
      update webhook_deliveries d
      set status = case when ${decides} then r.status else d.status end,
        error_code = r.error_code,
        http_status = r.http_status,
        attempt_count = d.attempt_count + 1,
        schedule_step = d.schedule_step + case when ${decides} then r.steps else 0 end,
        next_attempt_at = case when ${decides} then r.next_attempt_at else d.next_attempt_at end,
        last_attempt_at = r.requested_at,
        completed_at = case when ${decides} and r.status <> 'retrying' then now() end,
        updated_at = now()
      from results r
      -- By the ids and by nothing else: a plain condition on the status would let the planner read
      -- all that waits, from the index of what waits.
      where d.day = ${onDay} and d.id = any(${ids}::uuid[]) and d.id = r.id
        and coalesce(d.status in ('pending', 'retrying'), false)
      returning d.id, d.team_id, d.subscription_id, d.attempt_count, d.trigger, d.status,
        d.next_attempt_at, not (${decides}) as is_renewed
    ),
    logged as (
      insert into webhook_attempts
        (day, delivery_id, number, team_id, subscription_id, trigger, url, remote_ip, requested_at,
         responded_at, duration_ms, http_status, response_headers, response_body,
         response_truncated, error_code, error_detail, next_attempt_at)
      select ${onDay}, s.id, s.attempt_count, s.team_id, s.subscription_id, r.trigger, r.url,
        r.remote_ip, r.requested_at, r.responded_at, r.duration_ms, r.http_status,
        r.response_headers, r.response_body, r.response_truncated, r.error_code, r.error_detail,
        s.next_attempt_at
      from recorded s join results r on r.id = s.id
    ),
    grouped as (
      select team_id, subscription_id, trigger, array_agg(id) as ids,
        coalesce(array_agg(id) filter (where is_renewed), '{}') as renewed_ids,
        bool_or(status = 'delivered') as is_delivered
      from recorded
      group by team_id, subscription_id, trigger
    ),
    stamped as (
      update webhook_subscription_states t set last_delivered_at = now()
      from grouped g
      where t.team_id = g.team_id and t.subscription_id = g.subscription_id
        and g.is_delivered and g.trigger <> 'test'
        and (t.last_delivered_at is null or t.last_delivered_at < now() - interval '1 second')
    )
    select refusal, g.team_id is null as is_empty, g.team_id, g.subscription_id, g.trigger, g.ids,
      g.renewed_ids, ${sql.unsafe(isFailing)} as was_failing
    from refused
    left join grouped g on true
    left join webhook_subscription_states t
      on t.team_id = g.team_id and t.subscription_id = g.subscription_id
    /* any team: lanes serve all */`;
  const refusal = rows[0]?.refusal;
  return refusal ?? rows.filter(({ is_empty }) => !is_empty);
}

/** Why nothing may be written; null if it may. */
function refusalOf(
  sql: Sql,
  expectedHealthy: readonly { team_id: string; subscription_id: string }[],
) {
  return sql`
      select case when not exists (select from fence) then 'lost'
        when exists (
          select from unnest(${expectedHealthy.map(({ team_id }) => team_id)}::uuid[],
            ${expectedHealthy.map(({ subscription_id }) => subscription_id)}::uuid[])
            as h (team_id, subscription_id)
          -- With a limit each state is looked up by its key.
          cross join lateral (
            select from webhook_subscription_states t
            where t.team_id = h.team_id and t.subscription_id = h.subscription_id
              and ${sql.unsafe(isFailing)}
            limit 1
          ) failing
        ) then 'failing' end as refusal`;
}

/** Ends a delivery that was attempted, without a record of the attempt. */
export async function failUnstored(
  sql: Sql,
  { team_id, day, id }: Pick<DueDelivery, 'team_id' | 'day' | 'id'>,
): Promise<void> {
  await sql`
    update webhook_deliveries
    set status = 'failed', error_code = 'outcome_not_stored', next_attempt_at = null,
      completed_at = now(), updated_at = now()
    where day = ${dayLiteral(sql, day)} and team_id = ${team_id} and id = ${id}
      and status in ('pending', 'retrying')`;
}
