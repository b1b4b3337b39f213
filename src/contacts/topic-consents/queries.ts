import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import { isOptOutIn, maxSharing } from '../consents/queries.ts';
import type {
  FormerTopicOptOut,
  StoredTopicConsent,
  TopicChannel,
  RequestedTopicConsent,
} from './rules.ts';

export function topicConsentChangeSource(teamId: string, contactId: string): ListSource {
  return {
    from: 'contact_topic_consent_changes t',
    select: `t.*, 'contact_topic_consent_change' as type`,
    where: {
      text: 't.team_id = $1::uuid and t.contact_id = $2::uuid',
      values: [teamId, contactId],
    },
  };
}

/** The recorded choices of contacts. */
export async function listTopicConsents(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<StoredTopicConsent[]> {
  const rows = await sql<(Omit<StoredTopicConsent, 'evidence'> & { evidence: string | null })[]>`
    select contact_id, topic_id, channel, status, source, evidence, updated_at
    from contact_topic_consents
    where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])`;
  return rows.map(({ evidence, ...row }) => ({ ...row, ...(evidence !== null && { evidence }) }));
}

/** Stores choices of contacts that are locked, one for each topic and channel. */
export async function writeTopicConsents(
  sql: Sql,
  teamId: string,
  choices: readonly RequestedTopicConsent[],
  at: string,
): Promise<void> {
  await sql`
    insert into contact_topic_consents
      (team_id, contact_id, topic_id, channel, status, source, evidence, updated_at)
    select ${teamId}, contact_id, topic_id, channel, status, source, evidence, ${at}
    from jsonb_to_recordset(${JSON.stringify(choices)}::text::jsonb) as c (contact_id uuid, topic_id uuid,
      channel text, status text, source text, evidence text)
    on conflict (team_id, contact_id, topic_id, channel) do update
    set status = excluded.status, source = excluded.source, evidence = excluded.evidence,
      updated_at = excluded.updated_at`;
}

/** Keeps what was recorded as proof. */
export async function insertTopicConsentChanges(
  sql: Sql,
  teamId: string,
  clientId: string | null,
  changes: readonly {
    contact_id: string;
    topic_id: string;
    channel: TopicChannel;
    consent: object;
    previous: object | undefined;
  }[],
): Promise<void> {
  await sql`
    insert into contact_topic_consent_changes
      (team_id, contact_id, topic_id, channel, consent, previous, client_id)
    select ${teamId}, contact_id, topic_id, channel, consent, previous, ${clientId}::uuid
    from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb) as c (contact_id uuid,
      topic_id uuid, channel text, consent jsonb, previous jsonb)`;
}

/** Raises the versions of contacts that are locked. Realtime cohorts look at them again. */
export async function raiseVersions(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<{ id: string; lock_version: number; updated_at: string }[]> {
  return sql<{ id: string; lock_version: number; updated_at: string }[]>`
    update contacts set lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = any(${[...contactIds]}::uuid[])
    returning id, lock_version, updated_at`;
}

/** Deletes the choices of contacts; their history stays. */
export async function deleteTopicConsents(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  await sql`
    delete from contact_topic_consents
    where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])`;
}

/** Opt-outs of one address and channel that are looked at, the latest first. */
const maxFormer = 1_000;

/**
 * The opt-outs from topics that were the last word of those who have or had the addresses and numbers
 * that contacts get. Left out are those that a contact has itself. Nothing is looked at for a team
 * without topics.
 */
export async function findTopicOptOuts(
  sql: Sql,
  teamId: string,
  contacts: readonly { id: string; email: string | null; phone: string | null }[],
): Promise<RequestedTopicConsent[]> {
  if (contacts.length === 0) return [];
  const optOut = (row: ReturnType<Sql>) =>
    isOptOutIn(sql, { status: sql`${row}.status`, source: sql`${row}.source` });
  const said = (
    channel: 'email' | 'sms',
    { isSame, address }: Record<'isSame' | 'address', ReturnType<Sql>>,
  ) => sql`
    select c.topic_id, c.channel, c.status, c.source, c.updated_at
    from (
      select o.id from contacts o where o.team_id = ${teamId} and ${isSame} limit ${maxSharing}
    ) sharing
    join contact_topic_consents c on c.team_id = ${teamId} and c.contact_id = sharing.id
      and c.channel = ${channel}
    union all
    (select f.topic_id, f.channel, 'unsubscribed', f.source, f.updated_at
    from former_topic_opt_outs f
    where f.team_id = ${teamId} and f.channel = ${channel} and f.address = folded(${address})
    order by f.updated_at desc
    limit ${maxFormer})`;
  const byEmail = said('email', {
    isSame: sql`folded(o.email) = folded(w.email)`,
    address: sql`w.email`,
  });
  const byPhone = said('sms', { isSame: sql`o.phone = w.phone`, address: sql`w.phone` });
  return sql<RequestedTopicConsent[]>`
    select w.id as contact_id, last.topic_id, last.channel, last.status, last.source
    from unnest(${contacts.map(({ id }) => id)}::uuid[],
      ${contacts.map(({ email }) => email)}::text[],
      ${contacts.map(({ phone }) => phone)}::text[]) as w (id, email, phone)
    cross join lateral (
      select distinct on (s.topic_id, s.channel) s.*
      from (${byEmail} union all ${byPhone}) s
      order by s.topic_id, s.channel, s.updated_at desc
    ) last
    join topics t on t.team_id = ${teamId} and t.id = last.topic_id and t.deleted_at is null
    where exists (select from topics any_topic where any_topic.team_id = ${teamId})
      and ${optOut(sql`last`)} and not exists (
      select from contact_topic_consents own
      where own.team_id = ${teamId} and own.contact_id = w.id and own.topic_id = last.topic_id
        and own.channel = last.channel and ${optOut(sql`own`)})
    order by w.id, last.topic_id, last.channel`;
}

/** Keeps opt-outs for those that get the address later. */
export async function keepFormerTopicOptOuts(
  sql: Sql,
  teamId: string,
  optOuts: readonly FormerTopicOptOut[],
): Promise<void> {
  if (optOuts.length === 0) return;
  await sql`
    insert into former_topic_opt_outs
      (team_id, contact_id, topic_id, channel, address, source, updated_at)
    select ${teamId}, contact_id, topic_id, channel, folded(address), source, updated_at
    from jsonb_to_recordset(${JSON.stringify(optOuts)}::text::jsonb) as c (contact_id uuid,
      topic_id uuid, channel text, address text, source text, updated_at timestamptz)
    on conflict (team_id, contact_id, topic_id, channel, address) do update
    set source = excluded.source, updated_at = excluded.updated_at`;
}
