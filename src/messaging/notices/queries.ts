import { deleteChunk } from '../../platform/database/delete-chunk.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { ClaimedSend } from '../send-queue/queries.ts';
import { announceUrgent } from '../send-queue/urgent-work.ts';

/** Notices come before all waiting messages: a person waits at a form. */
const first = 'epoch';

/** Puts a notice into the queue of its recipient, under the id of what it is about. */
export async function insertNotice(
  sql: Sql,
  teamId: string,
  {
    id,
    notice,
    recipient_id,
    channel,
  }: Pick<ClaimedSend, 'id' | 'notice' | 'channel'> & { recipient_id: string },
): Promise<void> {
  const rows = await sql<{ lane: number }[]>`
    insert into message_sends
      (team_id, id, lane, channel, delivery_inserted_at, next_attempt_at, is_urgent, notice)
    values (${teamId}, ${id}, lane_of_contact(${recipient_id}), ${channel}, now(), ${first}, true,
      ${notice})
    returning lane`;
  announceUrgent(sql, rows);
}

/** Recipient of a notice. */
interface Addressee {
  team_id: string;
  id: string;
  contact_id: string;
  email: string | null;
  phone: string | null;
  team_name: string;
  locale: string;
}

export type WaitingCode = Addressee & { sealed_code: string; expires_at: string };
export type WaitingConfirmation = Addressee;

/** Codes of identity challenges that are open. */
export async function listWaitingCodes(
  sql: Sql,
  requested: readonly { team_id: string; id: string }[],
): Promise<WaitingCode[]> {
  if (requested.length === 0) return [];
  return sql<WaitingCode[]>`
    select c.team_id, c.id, s.contact_id, c.sealed_code, c.expires_at, t.email, t.phone, m.name as team_name,
      coalesce(t.locale, m.locale) as locale
    from unnest(${requested.map(({ team_id }) => team_id)}::uuid[],
      ${requested.map(({ id }) => id)}::uuid[]) as requested (team_id, id)
    join identity_challenges c on c.team_id = requested.team_id and c.id = requested.id
      and c.status = 'open' and c.sealed_code is not null and c.expires_at > now()
    join recipient_sessions s on s.team_id = c.team_id and s.id = c.session_id
    join contacts t on t.team_id = s.team_id and t.id = s.contact_id and t.status = 'active'
    join teams m on m.id = c.team_id`;
}

/** Consents that still wait for their confirmation. */
export async function listWaitingConfirmations(
  sql: Sql,
  requested: readonly { team_id: string; id: string }[],
): Promise<WaitingConfirmation[]> {
  if (requested.length === 0) return [];
  return sql<WaitingConfirmation[]>`
    select c.team_id, c.id, c.contact_id, t.email, t.phone, m.name as team_name,
      coalesce(t.locale, m.locale) as locale
    from unnest(${requested.map(({ team_id }) => team_id)}::uuid[],
      ${requested.map(({ id }) => id)}::uuid[]) as requested (team_id, id)
    join consent_confirmations c on c.team_id = requested.team_id and c.id = requested.id
      and c.confirmed_at is null and c.expires_at > now()
    join contacts t on t.team_id = c.team_id and t.id = c.contact_id and t.status <> 'archived'
      and t.consents -> c.channel ->> 'status' = 'pending'
    join teams m on m.id = c.team_id`;
}

/** A test recipient that was not confirmed yet; `id` is that of its latest message. */
export interface WaitingTestRecipient {
  team_id: string;
  id: string;
  recipient_id: string;
  channel: ClaimedSend['channel'];
  sealed_address: string;
  team_name: string;
  locale: string;
}

/** Test recipients that still wait for their confirmation. */
export async function listWaitingTestRecipients(
  sql: Sql,
  requested: readonly { team_id: string; id: string }[],
): Promise<WaitingTestRecipient[]> {
  if (requested.length === 0) return [];
  return sql<WaitingTestRecipient[]>`
    select r.team_id, r.confirmation_id as id, r.id as recipient_id, r.channel, r.sealed_address,
      m.name as team_name, m.locale
    from unnest(${requested.map(({ team_id }) => team_id)}::uuid[],
      ${requested.map(({ id }) => id)}::uuid[]) as requested (team_id, id)
    join test_recipients r on r.team_id = requested.team_id and r.confirmation_id = requested.id
      and r.status = 'pending' and r.link_expires_at > now()
    join teams m on m.id = r.team_id`;
}

export interface NoticeBudget {
  subject_id: string;
  sent: number;
  since: string;
}

/**
 * Numbers of messages within a day, locked in the order of the ids until the end of the
 * transaction.
 */
export async function lockBudgets(
  sql: Sql,
  teamId: string,
  subjectIds: readonly string[],
): Promise<NoticeBudget[]> {
  return sql<NoticeBudget[]>`
    insert into notice_budgets as b (team_id, subject_id, sent, since)
    select ${teamId}::uuid, s.id, 0, now()
    from unnest(${[...subjectIds]}::uuid[]) as s (id)
    order by s.id
    on conflict (team_id, subject_id) do update
    set sent = case when b.since > now() - interval '1 day' then b.sent else 0 end,
      since = case when b.since > now() - interval '1 day' then b.since else now() end
    returning subject_id, sent, since`;
}

/** Writes counts of budgets that are locked. */
export async function writeBudgets(
  sql: Sql,
  teamId: string,
  budgets: readonly NoticeBudget[],
): Promise<void> {
  await sql`
    update notice_budgets b set sent = n.sent
    from unnest(${budgets.map(({ subject_id }) => subject_id)}::uuid[],
      ${budgets.map(({ sent }) => sent)}::int[]) as n (id, sent)
    where b.team_id = ${teamId} and b.subject_id = n.id`;
}

/** Deletes budgets whose day is over, a chunk of them. */
export async function pruneNoticeBudgets(sql: Sql, limit: number): Promise<number> {
  const where = sql`since < now() - interval '1 day'`;
  const key = 'team_id, subject_id';
  return deleteChunk(sql, { table: 'notice_budgets', key, where, limit, skipsLocked: true });
}
