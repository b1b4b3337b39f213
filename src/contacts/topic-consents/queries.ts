import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { StoredTopicConsent, TopicChannel, WantedTopicConsent } from './rules.ts';

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
  choices: readonly WantedTopicConsent[],
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
