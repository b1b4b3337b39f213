import type { Sql } from '../../platform/database/sql.ts';
import type { Attributes, Consents } from '../../contacts/contact.ts';
import type { TopicKey } from '../../contacts/topic-consents/rules.ts';
import type { SendCounts } from './rules.ts';

/** A contact with the fields that sending needs. */
export interface Recipient {
  team_id: string;
  id: string;
  unique_id: string | null;
  email: string | null;
  phone: string | null;
  first_name: string | null;
  last_name: string | null;
  preferred_name: string | null;
  locale: string | null;
  timezone: string | null;
  postal_code: string | null;
  tags: string[];
  attributes: Attributes;
  consents: Consents;
  /** The contact itself, or its address of a channel. */
  is_suppressed: boolean;
  is_email_suppressed: boolean;
  is_phone_suppressed: boolean;
  has_device: boolean;
}

/** Existing contacts of several teams, with the reasons that prevent messages to them. */
export async function listRecipients(
  sql: Sql,
  requested: readonly { team_id: string; contact_id: string }[],
): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select c.team_id, c.id, c.unique_id, c.email, c.phone, c.first_name, c.last_name,
      c.preferred_name, c.locale, c.timezone, c.postal_code, c.tags, c.attributes, c.consents,
      c.status = 'suppressed' or exists (
        select from suppressions s
        where s.team_id = c.team_id and s.contact_id = c.id and s.deleted_at is null
      ) as is_suppressed,
      exists (
        select from suppressions s
        where s.team_id = c.team_id and s.channel = 'email'
          and folded(s.address) = folded(c.email) and s.deleted_at is null
      ) as is_email_suppressed,
      exists (
        select from suppressions s
        where s.team_id = c.team_id and s.channel = 'sms'
          and folded(s.address) = folded(c.phone) and s.deleted_at is null
      ) as is_phone_suppressed,
      exists (
        select from contact_devices d
        where d.team_id = c.team_id and d.contact_id = c.id and d.is_active
          and d.deleted_at is null
      ) as has_device
    from unnest(${requested.map(({ team_id }) => team_id)}::uuid[],
      ${requested.map(({ contact_id }) => contact_id)}::uuid[]) as requested (team_id, contact_id)
    join contacts c on c.team_id = requested.team_id and c.id = requested.contact_id
      and c.status <> 'archived'`;
}

/** Marketing that contacts have had, or that is queued for them. */
export async function countMarketing(
  sql: Sql,
  requested: readonly { team_id: string; contact_id: string }[],
  asOf: string,
): Promise<Map<string, SendCounts>> {
  if (requested.length === 0) return new Map();
  const rows = await sql<(SendCounts & { contact_id: string })[]>`
    select requested.contact_id, had.day, had.week
    from unnest(${requested.map(({ team_id }) => team_id)}::uuid[],
      ${requested.map(({ contact_id }) => contact_id)}::uuid[]) as requested (team_id, contact_id)
    cross join lateral
      count_marketing(requested.team_id, requested.contact_id, ${asOf}::timestamptz, null, true) had`;
  return new Map(rows.map(({ contact_id, day, week }) => [contact_id, { day, week }]));
}

/**
 * Those of the places that are not subscribed. The default of a deleted topic stays in effect for the
 * messages that name it still.
 */
export async function listUnsubscribed(
  sql: Sql,
  places: readonly (TopicKey & { team_id: string })[],
): Promise<TopicKey[]> {
  return sql<TopicKey[]>`
    select requested.contact_id, requested.topic_id, requested.channel
    from unnest(${places.map(({ team_id }) => team_id)}::uuid[],
      ${places.map(({ contact_id }) => contact_id)}::uuid[],
      ${places.map(({ topic_id }) => topic_id)}::uuid[],
      ${places.map(({ channel }) => channel)}::text[])
      as requested (team_id, contact_id, topic_id, channel)
    left join topics p on p.team_id = requested.team_id and p.id = requested.topic_id
    left join contact_topic_consents c on c.team_id = requested.team_id
      and c.contact_id = requested.contact_id and c.topic_id = requested.topic_id
      and c.channel = requested.channel
    where coalesce(c.status, p.default_consent, 'unsubscribed') = 'unsubscribed'`;
}

/** Push tokens of contacts that take messages, sealed, once each, the one seen last first. */
export async function listDevices(
  sql: Sql,
  requested: readonly { team_id: string; contact_id: string }[],
): Promise<{ team_id: string; contact_id: string; id: string; sealed_token: string }[]> {
  if (requested.length === 0) return [];
  return sql<{ team_id: string; contact_id: string; id: string; sealed_token: string }[]>`
    select d.team_id, d.contact_id, d.id, d.sealed_token
    from (
      select distinct * from unnest(${requested.map(({ team_id }) => team_id)}::uuid[],
        ${requested.map(({ contact_id }) => contact_id)}::uuid[]) as requested (team_id, contact_id)
    ) requested
    join contact_devices d on d.team_id = requested.team_id and d.contact_id = requested.contact_id
      and d.is_active and d.deleted_at is null
    order by d.last_seen_at desc, d.id`;
}

/** The receiver of each team for callbacks of each kind, where it has an active one. */
export async function listCallbackReceivers(
  sql: Sql,
  teamIds: readonly string[],
  kinds: readonly string[],
): Promise<{ team_id: string; id: string; receiver_kind: string }[]> {
  if (teamIds.length === 0) return [];
  return sql<{ team_id: string; id: string; receiver_kind: string }[]>`
    select distinct on (team_id, receiver_kind) team_id, id, receiver_kind
    from incoming_webhook_receivers
    where team_id = any(${[...teamIds]}::uuid[]) and receiver_kind = any(${[...kinds]})
      and is_active and deleted_at is null
    order by team_id, receiver_kind, inserted_at`;
}
