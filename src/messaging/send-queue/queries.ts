import type { Sql } from '../../platform/database/sql.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { FrequencyCap, QuietHours, Retention, Tracking } from '../../team/team.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';
import type { SkipReason } from '../message-deliveries/rules.ts';

export type Channel = MessageRow['channel'];

/** A delivery that is decided: it waits to be sent, or was skipped. */
export interface NewDelivery {
  team_id: string;
  id: string;
  message_id: string;
  template_id: string;
  journey_id: string;
  contact_id: string;
  channel: Channel;
  topic_id?: string;
  status: 'queued' | 'skipped';
  skip_reason: SkipReason | null;
  variant_key: string | null;
  scheduled_at: string;
  inserted_at: string;
}

/** Stores deliveries, and puts those that are queued into the queue. */
export async function insertDeliveries(
  sql: Sql,
  lane: number,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    with decided as (
      select * from jsonb_to_recordset(${JSON.stringify(deliveries)}::text::jsonb) as d (
        team_id uuid, id uuid, message_id uuid, template_id uuid, journey_id uuid,
        contact_id uuid, channel text, topic_id uuid, status text, skip_reason text,
        variant_key text, scheduled_at timestamptz, inserted_at timestamptz)
    ),
    stored as (
      insert into message_deliveries (team_id, id, message_id, template_id, journey_id,
        contact_id, channel, topic_id, status, skip_reason, variant_key, scheduled_at,
        inserted_at, updated_at)
      select team_id, id, message_id, template_id, journey_id, contact_id, channel, topic_id,
        status, skip_reason, variant_key, scheduled_at, inserted_at, inserted_at
      from decided
    )
    insert into message_sends
      (team_id, id, lane, channel, delivery_inserted_at, next_attempt_at)
    select team_id, id, ${lane}, channel, inserted_at, inserted_at
    from decided where status = 'queued'`;
}

/** A claimed entry of the queue. */
export interface ClaimedSend {
  team_id: string;
  id: string;
  channel: Channel;
  delivery_inserted_at: string;
  /** Those that have failed. */
  attempts: number;
  /** Number of providers that have not taken it: the next attempt goes to the one after them. */
  providers_passed: number;
  test_message_id: string | null;
  sealed_test_address: string | null;
  is_urgent: boolean;
  /** Version of the template of a requested send. */
  template_version: number | null;
  sealed_data: string | null;
  /** It is about what has its id; see notices. */
  notice: 'identity_code' | 'consent_confirmation' | 'test_recipient' | null;
}

/** Whether it belongs to a delivery, and is no test and no notice. */
export function hasDelivery({
  test_message_id,
  notice,
}: Pick<ClaimedSend, 'test_message_id' | 'notice'>): boolean {
  return test_message_id === null && notice === null;
}

/** A claimed delivery, with the facts that decide at the last moment whether it is sent. */
export interface QueuedDelivery extends Pick<
  MessageDeliveryRow,
  | 'team_id'
  | 'id'
  | 'inserted_at'
  | 'message_id'
  | 'template_id'
  | 'journey_id'
  | 'contact_id'
  | 'channel'
  | 'status'
  | 'variant_key'
  | 'scheduled_at'
> {
  journey_status: string | null;
  exit_reason: string | null;
  journey_deadline_at: string | null;
  template_version: number | null;
  link_generation: number | null;
  template_name: string;
  template_status: string;
  template_deadline_at: string | null;
  team_name: string;
  is_team_suspended: boolean;
  team_timezone: string;
  team_locale: string;
  team_currency: string;
  quiet_hours: QuietHours | null;
  frequency_cap: FrequencyCap | null;
  retention: Retention | null;
  tracking: Tracking | null;
}

/** Reads one by one by their keys, even with a plan for outdated statistics. */
export async function listClaimedDeliveries(
  sql: Sql,
  claimed: readonly Pick<ClaimedSend, 'team_id' | 'id' | 'delivery_inserted_at'>[],
): Promise<QueuedDelivery[]> {
  return sql<QueuedDelivery[]>`
    select d.team_id, d.id, d.inserted_at, d.message_id, d.template_id, d.journey_id,
      d.contact_id, d.channel, d.status, d.variant_key, d.scheduled_at,
      j.status as journey_status, j.exit_reason, j.deadline_at as journey_deadline_at, j.template_version,
      j.link_generation, t.name as template_name, t.status as template_status,
      t.deadline_at as template_deadline_at, m.name as team_name, m.timezone as team_timezone,
      m.locale as team_locale, m.currency as team_currency, m.quiet_hours, m.frequency_cap,
      m.retention, m.tracking,
      m.suspended_at is not null as is_team_suspended
    from unnest(${claimed.map(({ team_id }) => team_id)}::uuid[],
      ${claimed.map(({ id }) => id)}::uuid[],
      ${claimed.map((one) => one.delivery_inserted_at)}::timestamptz[]) claimed (team_id, id, inserted_at)
    cross join lateral (
      select * from message_deliveries
      where team_id = claimed.team_id and id between claimed.id and claimed.id
        and inserted_at between claimed.inserted_at and claimed.inserted_at
      order by id, inserted_at limit 1
    ) d
    join templates t on t.team_id = d.team_id and t.id = d.template_id
    join teams m on m.id = d.team_id
    left join lateral (
      select * from journeys
      where team_id = d.team_id and id between d.journey_id and d.journey_id
      order by id limit 1
    ) j on true`;
}

/** Marketing that is about to be sent; one that is exempt has no cap. */
export interface Countable {
  team_id: string;
  id: string;
  contact_id: string;
  cap: FrequencyCap | undefined;
}

/** Counts marketing right before it is sent, and gives the ids of what is above the frequency cap. */
export async function countOrRefuse(
  sql: Sql,
  countable: readonly Countable[],
  asOf: string,
): Promise<Set<string>> {
  if (countable.length === 0) return new Set();
  const rows = await sql<{ id: string }[]>`
    select count_or_refuse(
      ${countable.map(({ team_id }) => team_id)}::uuid[], ${countable.map(({ id }) => id)}::uuid[],
      ${countable.map(({ contact_id }) => contact_id)}::uuid[],
      ${countable.map(({ cap }) => cap?.per_day ?? null)}::int[],
      ${countable.map(({ cap }) => cap?.per_week ?? null)}::int[], ${asOf}) as id`;
  return new Set(rows.map(({ id }) => id));
}

/** Outcome of a claimed delivery. */
export interface DeliveryOutcome {
  team_id: string;
  id: string;
  inserted_at: string;
  status: 'sent' | 'failed' | 'skipped' | 'canceled';
  skip_reason: SkipReason | null;
  provider: string | null;
  provider_message_id: string | null;
  to_masked: string | null;
  /** Why it failed. */
  code: string | null;
  at: string;
}

/** A delivery after its outcome was stored, and how far it was before. */
export type RecordedDelivery = MessageDeliveryRow & {
  /** Its status, if it waited to be sent. */
  waited: 'scheduled' | 'queued' | null;
  was_unsent: boolean;
};

/**
 * Writes down what became of deliveries, and gives them as they are. One of which a provider has
 * reported meanwhile stays as far as it is, and learns when and by whom it was sent.
 */
export async function writeDeliveryOutcomes(
  sql: Sql,
  outcomes: readonly DeliveryOutcome[],
): Promise<RecordedDelivery[]> {
  return sql<RecordedDelivery[]>`
    with outcomes as (
      select * from jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb) as s (
        team_id uuid, id uuid, inserted_at timestamptz, status text, skip_reason text,
        provider text, provider_message_id text, to_masked text, code text, at timestamptz)
    ),
    before as materialized (
      select d.team_id, d.id, d.inserted_at, d.sent_at is null as was_unsent,
        case when d.status in ('scheduled', 'queued') then d.status end as waited
      from (select * from outcomes order by team_id, id) s
      cross join lateral (
        select team_id, id, inserted_at, status, sent_at from message_deliveries
        where team_id = s.team_id and id between s.id and s.id
          and inserted_at between s.inserted_at and s.inserted_at
        order by id, inserted_at limit 1
        for update
      ) d
      where d.status in ('scheduled', 'queued') or s.status = 'sent'
    )
    update message_deliveries d
    set status = case when before.waited is not null then s.status else d.status end,
      skip_reason = coalesce(s.skip_reason, d.skip_reason),
      provider = coalesce(s.provider, d.provider),
      provider_message_id = coalesce(d.provider_message_id, s.provider_message_id),
      to_masked = coalesce(s.to_masked, d.to_masked),
      bounce = case when s.code is null then d.bounce
        else jsonb_build_object('code', s.code) end,
      sent_at = case when s.status = 'sent'
        then coalesce(d.sent_at, least(s.at, d.delivered_at, d.failed_at)) else d.sent_at end,
      failed_at = case when s.status = 'failed' then s.at else d.failed_at end,
      lock_version = d.lock_version + 1, updated_at = now()
    from outcomes s, before
    where d.team_id = s.team_id and d.id = s.id and d.inserted_at = s.inserted_at
      and before.team_id = d.team_id and before.id = d.id
      and before.inserted_at = d.inserted_at
    returning d.*, 'message_delivery' as type, before.waited, before.was_unsent`;
}

/** Deletes entries that are over from the queue. */
export async function deleteSends(sql: Sql, teamId: string, ids: readonly string[]): Promise<void> {
  await sql`
    delete from message_sends where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}

/** When a message is tried again, and what its attempt counts for. */
export interface PutBack {
  /** RFC 3339. */
  at: string;
  is_attempt: boolean;
  /** The provider has not taken it: the next attempt goes to the next one. */
  is_passed: boolean;
}

/**
 * Returns messages to the queue for a later attempt. Attempts are counted here, so that a lost one
 * does not count.
 */
export async function putBackSends(
  sql: Sql,
  sends: readonly (PutBack & { team_id: string; id: string })[],
): Promise<void> {
  if (sends.length === 0) return;
  await sql`
    update message_sends s
    set is_claimed = false, next_attempt_at = back.at,
      attempts = s.attempts + back.is_attempt::int,
      providers_passed = s.providers_passed + back.is_passed::int
    from jsonb_to_recordset(${JSON.stringify(sends)}::text::jsonb)
      as back (team_id uuid, id uuid, at timestamptz, is_attempt boolean, is_passed boolean)
    where s.team_id = back.team_id and s.id = back.id
      and s.team_id = any(${sends.map(({ team_id }) => team_id)}::uuid[])
      and s.id = any(${sends.map(({ id }) => id)}::uuid[])`;
}
