import type { Fragment, Sql } from '../../../platform/database/sql.ts';

/** A row of any team as an operator reads it: ids, codes and times; no address, no content. */
export interface FoundRow {
  team_id: string;
  id: string;
  state: string;
  /** Codes that say why it waits or has failed. */
  why: string | null;
  next_at: string | null;
  /** Ids of what it belongs to. */
  related: Record<string, string | null>;
  /** Counts, codes and times. */
  facts: Record<string, string | number | boolean | null>;
}

/** A row by the team and its id, of a table whose key is both. */
const ofTeams = (sql: Sql, table: string, id: string) => sql`
  teams cross join lateral (
    select * from ${sql.unsafe(table)} x where x.team_id = teams.id and x.id = ${id}) t`;

/** A row of a table that is partitioned by day, with one index entry read for each day. */
const ofDays = (sql: Sql, table: string, id: string) => sql`
  generate_series(current_date - ${searchedDays}::int, current_date + 1, interval '1 day') as d
  cross join lateral (
    select * from ${sql.unsafe(table)} x where x.day = d.d::date and x.id = ${id}) t`;

/** Days for which rows that are partitioned by day exist, with some to spare. */
const searchedDays = 100;

const none = `'{}'::jsonb`;
const error = `t.error ->> 'code'`;

interface Columns {
  state: string;
  why?: string;
  next?: string;
  related?: string;
  facts?: string;
}

/** The columns of each kind, of a row t. */
const kinds = {
  team: { state: `case when t.suspended_at is null then 'active' else 'suspended' end` },
  client: { state: `case when t.suspended_at is null then 'active' else 'suspended' end` },
  contact: {
    state: 't.status',
    why: `case when t.erased_at is not null then 'erased'
      when t.merged_into_id is not null then 'merged' end`,
    related: `jsonb_build_object('merged_into', t.merged_into_id)`,
    facts: `jsonb_build_object('lane', lane_of_contact(t.id))`,
  },
  journey: {
    state: 't.status',
    why: 't.exit_reason',
    next: 't.next_due_at',
    related: `jsonb_build_object('contact', t.contact_id, 'template', t.template_id)`,
    facts: `jsonb_build_object('lane', lane_of_contact(t.contact_id), 'enrolled_at', t.enrolled_at,
      'is_holdout', t.is_holdout, 'deadline_at', t.deadline_at, 'template_status', (
        select p.status from templates p where p.team_id = t.team_id and p.id = t.template_id))`,
  },
  template: {
    state: `case when t.deleted_at is null then t.status else 'deleted' end`,
    why: `(select concat_ws(' ', c.action, c.cause, c.occurred_at at time zone 'UTC')
      from template_status_changes c where c.team_id = t.team_id and c.template_id = t.id
      order by c.sequence desc limit 1)`,
    next: `case when t.deleted_at is null then t.due_at end`,
    facts: `jsonb_build_object('scheduled_at', t.scheduled_at, 'deadline_at', t.deadline_at)`,
  },
  message: {
    state: `case when t.deleted_at is null then t.status else 'deleted' end`,
    related: `jsonb_build_object('template', t.template_id)`,
    facts: `jsonb_build_object('channel', t.channel, 'trigger', t.trigger ->> 'kind')`,
  },
  message_delivery: {
    state: 't.status',
    why: `coalesce(t.skip_reason, t.bounce ->> 'code', t.bounce ->> 'class')`,
    next: `(select s.next_attempt_at from message_sends s
      where s.team_id = t.team_id and s.id = t.id)`,
    related: `jsonb_build_object('journey', t.journey_id, 'contact', t.contact_id,
      'template', t.template_id, 'message', t.message_id)`,
    facts: `jsonb_build_object('channel', t.channel, 'provider', t.provider, 'sent_at', t.sent_at,
      'delivered_at', t.delivered_at, 'failed_at', t.failed_at, 'lane', lane_of_contact(t.contact_id),
      'attempts', (select s.attempts from message_sends s
        where s.team_id = t.team_id and s.id = t.id))`,
  },
  webhook_event: {
    state: 't.type',
    related: `jsonb_build_object('resource', t.resource_id)`,
    facts: `jsonb_build_object('recorded_at', t.inserted_at)`,
  },
  webhook_delivery: {
    state: 't.status',
    why: `concat_ws(' ', t.error_code, 'HTTP ' || t.http_status)`,
    next: `case when t.status in ('pending', 'retrying') then t.next_attempt_at end`,
    related: `jsonb_build_object('webhook_subscription', t.subscription_id,
      'webhook_event', t.event_id)`,
    facts: `jsonb_build_object('event_type', t.event_type, 'attempts', t.attempt_count,
      'last_attempt_at', t.last_attempt_at, 'completed_at', t.completed_at, 'in_recovery', (
        select s.owned_by_recovery from webhook_subscription_states s
        where s.team_id = t.team_id and s.subscription_id = t.subscription_id))`,
  },
  webhook_subscription: {
    state: `case when t.deleted_at is not null then 'deleted'
      when not t.is_active then 'inactive' when t.is_disabled_for_failures then 'disabled'
      when (select s.owned_by_recovery from webhook_subscription_states s
        where s.team_id = t.team_id and s.subscription_id = t.id) then 'failing'
      else 'healthy' end`,
    why: `(select coalesce(s.disabled_reason, s.last_error) from webhook_subscription_states s
      where s.team_id = t.team_id and s.subscription_id = t.id
        and (s.owned_by_recovery or t.is_disabled_for_failures))`,
    next: `(select s.recovery_due_at from webhook_subscription_states s
      where s.team_id = t.team_id and s.subscription_id = t.id and s.owned_by_recovery)`,
    facts: `(select to_jsonb(f) from (
      select s.failing_since, s.last_delivered_at, s.paused_until, s.probe_at,
        (select count(*) from webhook_deliveries w where w.subscription_id = t.id
          and w.team_id = t.team_id and w.status in ('pending', 'retrying')) as waiting
      from (select) one left join webhook_subscription_states s
        on s.team_id = t.team_id and s.subscription_id = t.id) f)`,
  },
  webhook_replay: {
    state: 't.status',
    related: `jsonb_build_object('webhook_subscription', t.subscription_id)`,
    facts: `jsonb_build_object('matched', t.matched, 'replayed', t.replayed, 'skipped', t.skipped,
      'rate_per_second', t.rate_per_second)`,
  },
  cohort: {
    state: `case when t.deleted_at is not null then 'deleted'
      when t.archived_at is not null then 'archived' else t.evaluation_status end`,
    next: 't.next_evaluation_at',
    facts: `jsonb_build_object('members', t.member_count, 'last_evaluated_at', t.last_evaluated_at)`,
  },
  operation_run: {
    state: 't.status',
    why: `concat_ws(' ', ${error}, (select string_agg(concat_ws(' ', e ->> 'count', e ->> 'code'), ', ')
      from jsonb_array_elements(t.error_summary) e))`,
    related: `jsonb_build_object('client', t.requested_by_client_id, 'retry_of', t.retry_of_id,
      'file_source', t.file_source_id, 'sftp_credential', t.sftp_credential_id)`,
    facts: `jsonb_build_object('surface', t.surface, 'operation', t.operation_kind,
      'total', t.total_count, 'processed', t.processed_count, 'failed', t.failed_count,
      'skipped', t.skipped_count, 'requested_at', t.inserted_at, 'started_at', t.started_at,
      'touched_at', t.updated_at, 'completed_at', t.completed_at, 'pruned_at', t.pruned_at,
      'estimated_completion_at', case when t.completed_at is null then t.estimated_completion_at end,
      'ahead', case when t.status = 'queued' then (select count(*) from operation_runs o
        where o.team_id = t.team_id and o.status in ('queued', 'validating', 'running', 'canceling')
          and (o.status <> 'queued' or (o.inserted_at, o.id) < (t.inserted_at, t.id))) end)`,
  },
  export: {
    state: `case when t.deleted_at is null then t.status else 'deleted' end`,
    why: error,
    related: `jsonb_build_object('client', t.requested_by_client_id)`,
    facts: `jsonb_build_object('kind', t.kind, 'rows', t.row_count, 'bytes', t.size_bytes,
      'touched_at', t.updated_at, 'completed_at', t.completed_at, 'expires_at', t.expires_at)`,
  },
  upload: {
    state: 't.status',
    facts: `jsonb_build_object('format', t.format, 'bytes', t.size_bytes, 'expires_at', t.expires_at)`,
  },
  file_source: {
    state: `case when t.deleted_at is not null then 'deleted'
      when t.is_active then 'active' else 'inactive' end`,
    why: 't.test_error_code',
    facts: `jsonb_build_object('kind', t.source_kind, 'last_fetched_at', t.last_fetched_at,
      'tested_at', t.tested_at, 'open_fetches', (select count(*) from file_fetches f
        where f.team_id = t.team_id and f.file_source_id = t.id and f.next_attempt_at is not null))`,
  },
  sftp_upload: {
    state: 't.status',
    why: `coalesce(t.error_code, (select f.last_error_code from file_fetches f
      where f.team_id = t.team_id and f.sftp_upload_id = t.id))`,
    next: `(select f.next_attempt_at from file_fetches f
      where f.team_id = t.team_id and f.sftp_upload_id = t.id)`,
    related: `jsonb_build_object('batch', t.batch_operation_id, 'file_source', t.file_source_id,
      'sftp_credential', t.sftp_credential_id, 'inbound_delivery', t.inbound_delivery_id)`,
    facts: `jsonb_build_object('bytes', t.size_bytes, 'completed_at', t.completed_at,
      'attempts', (select f.attempts from file_fetches f
        where f.team_id = t.team_id and f.sftp_upload_id = t.id))`,
  },
  receiver: {
    state: `case when t.deleted_at is not null then 'deleted'
      when t.is_active then 'active' else 'inactive' end`,
    next: `(select min(i.next_attempt_at) from inbound_deliveries i
      where i.receiver_id = t.id and i.team_id = t.team_id and i.next_attempt_at is not null)`,
    facts: `(select to_jsonb(f) from (
      select t.receiver_kind as kind, s.last_received_at, s.last_signature_failure_at
      from (select) one left join incoming_webhook_receiver_states s
        on s.team_id = t.team_id and s.receiver_id = t.id) f)`,
  },
  inbound_delivery: {
    state: 't.status',
    why: `coalesce(${error}, t.link_error)`,
    next: 't.next_attempt_at',
    related: `jsonb_build_object('receiver', t.receiver_id, 'contact', t.contact_id,
      'journey', t.journey_id, 'message_delivery', t.message_delivery_id)`,
    facts: `jsonb_build_object('signature', t.signature_status, 'http_status', t.http_status,
      'attempts', t.attempts, 'received_at', t.received_at, 'processed_at', t.processed_at)`,
  },
  inbound_replay: {
    state: 't.status',
    related: `jsonb_build_object('receiver', t.receiver_id)`,
    facts: `jsonb_build_object('matched', t.matched, 'replayed', t.replayed, 'failed', t.failed,
      'skipped', t.skipped, 'rate_per_second', t.rate_per_second)`,
  },
  contact_erasure: {
    state: 't.status',
    related: `jsonb_build_object('contact', t.contact_id)`,
    facts: `jsonb_build_object('swept_at', t.swept_at, 'completed_at', t.completed_at)`,
  },
  sending_domain: {
    state: `case when t.deleted_at is null then t.status else 'deleted' end`,
    next: `case when t.deleted_at is null then t.next_check_at end`,
    facts: `t.record_statuses`,
  },
  sending_provider: {
    state: `case when t.is_active then 'active' else 'inactive' end`,
    why: 't.test_error_code',
    facts: `jsonb_build_object('channel', t.channel, 'kind', t.kind, 'tested_at', t.tested_at)`,
  },
} as const satisfies Record<string, Columns>;

export type Kind = keyof typeof kinds;

/** Where the rows of each kind are. */
const tables: Readonly<Record<Kind, string>> = {
  team: 'teams',
  client: 'clients',
  contact: 'contacts',
  journey: 'journeys',
  template: 'templates',
  message: 'messages',
  message_delivery: 'message_deliveries',
  webhook_event: 'webhook_events',
  webhook_delivery: 'webhook_deliveries',
  webhook_subscription: 'webhook_subscriptions',
  webhook_replay: 'webhook_replays',
  cohort: 'cohorts',
  operation_run: 'operation_runs',
  export: 'exports',
  upload: 'uploads',
  file_source: 'file_sources',
  sftp_upload: 'sftp_uploads',
  receiver: 'incoming_webhook_receivers',
  inbound_delivery: 'inbound_deliveries',
  inbound_replay: 'inbound_replays',
  contact_erasure: 'contact_erasures',
  sending_domain: 'sending_domains',
  sending_provider: 'sending_providers',
};

export const foundKinds = Object.keys(kinds).filter((kind): kind is Kind =>
  Object.hasOwn(kinds, kind),
);

const byDay: ReadonlySet<Kind> = new Set(['webhook_event', 'webhook_delivery', 'inbound_delivery']);

function sourceOf(sql: Sql, kind: Kind, id: string): Fragment {
  const { [kind]: table } = tables;
  if (kind === 'team') return sql`(select *, id as team_id from teams where id = ${id}) t`;
  return byDay.has(kind) ? ofDays(sql, table, id) : ofTeams(sql, table, id);
}

/** The row of a kind by its id. */
export async function findRow(sql: Sql, kind: Kind, id: string): Promise<FoundRow | undefined> {
  const columns: Columns = kinds[kind];
  const { state, why = 'null', next = 'null', related = none, facts = none } = columns;
  const [row] = await sql<FoundRow[]>`
    select t.team_id, t.id, ${sql.unsafe(state)} as state, nullif(${sql.unsafe(why)}, '') as why,
      (${sql.unsafe(next)})::timestamptz as next_at, ${sql.unsafe(related)} as related,
      ${sql.unsafe(facts)} as facts
    from ${sourceOf(sql, kind, id)} /* any team: team_id is what an operator looks for */
    limit 1`;
  return row;
}
