import type { Sql } from '../../../platform/database/sql.ts';
import type { ErasureRow } from '../queries.ts';

/** Whose copies are looked for. */
export interface Persons {
  teamId: string;
  contactIds: readonly string[];
  /** Folded: as texts are compared. */
  needles: readonly string[];
  addresses: readonly string[];
}

/** Rows that one transaction changes at most, so that nobody waits for long. */
const batchSize = 500;

/** Erasures of a team that are not completed, the oldest first. */
export async function listOpenErasures(sql: Sql, teamId: string): Promise<ErasureRow[]> {
  return sql<ErasureRow[]>`
    select t.*, 'contact_erasure' as type from contact_erasures t
    where t.team_id = ${teamId} and t.status <> 'completed'
    order by t.inserted_at
    limit 200`;
}

/**
 * Whether a transaction that began before a moment is still open. Such a transaction may have read
 * data that has been erased since, and may still write it.
 */
export async function hasOlderTransactions(sql: Sql, moment: string): Promise<boolean> {
  const rows = await sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < ${moment}
    limit 1`;
  return rows.length > 0;
}

export async function markErasures(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
  status: 'sweeping' | 'completed',
): Promise<ErasureRow[]> {
  return sql<ErasureRow[]>`
    update contact_erasures
    set status = ${status}, updated_at = now(), lock_version = lock_version + 1,
      swept_at = coalesce(swept_at, now()),
      completed_at = case when ${status} = 'completed' then now() end,
      sealed_identity = case when ${status} = 'completed' then null else sealed_identity end
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])
    returning *, 'contact_erasure' as type`;
}

/** Teams whose erasures have not advanced for a while: their workflow may not be running. */
export async function listStaleErasures(
  sql: Sql,
  untouchedMs: number,
  limit: number,
): Promise<{ team_id: string }[]> {
  return sql<{ team_id: string }[]>`
    select distinct team_id from contact_erasures
    where status <> 'completed'
      and updated_at < now() - make_interval(secs => ${untouchedMs / 1_000})
    limit ${limit} /* any team: the relay serves all */`;
}

/** Reduces events to ids, deletes responses of receivers, and reduces engagement to its counts. */
export async function eraseAppendOnly(sql: Sql, { teamId, contactIds }: Persons): Promise<number> {
  const ids = [...contactIds];
  const [row] = await sql<[{ count: number }]>`
    select erase_events(${teamId} /* team_id */, ${ids}::uuid[], ${batchSize})
      + erase_history(${teamId}, ${ids}::uuid[], ${batchSize}) as count`;
  return row.count;
}

/**
 * Erases submissions of landing page forms that name the person without a reference to a contact.
 */
export async function eraseForms(sql: Sql, { teamId, needles }: Persons): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select erase_forms(${teamId} /* team_id */, ${[...needles]}::text[], ${batchSize}) as count`;
  return row.count;
}

/**
 * Erases rows that belong only to the person; completions and sends stay, as figures without text.
 * Accounts are only marked as deleted: the last sweep uses their ids to find later records.
 */
export async function eraseChildren(sql: Sql, { teamId, contactIds }: Persons): Promise<number> {
  const ids = [...contactIds];
  const devices = await sql`
    delete from contact_devices where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const accounts = await sql`
    update accounts set deleted_at = now(), updated_at = now()
    where team_id = ${teamId} and contact_id = any(${ids}::uuid[]) and deleted_at is null`;
  const suppressions = await sql`
    delete from suppressions where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const completions = await sql`
    update objective_completions
    set unique_id = null, void_reason = null, repeat_key = 'erased:' || id, updated_at = now()
    where team_id = ${teamId} and contact_id = any(${ids}::uuid[])
      and repeat_key <> 'erased:' || id`;
  const sends = await sql`
    update message_deliveries set to_masked = null, bounce = null
    where team_id = ${teamId} and contact_id = any(${ids}::uuid[])
      and (to_masked is not null or bounce is not null)`;
  const sessions = await sql`
    delete from recipient_sessions
    where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const guesses = await sql`
    delete from identity_failures where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const sources = await sql`
    delete from identity_sources where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const asked = await sql`
    delete from consent_confirmations
    where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const left = await sql`
    delete from former_opt_outs where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const topics = await sql`
    delete from former_topic_opt_outs
    where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const kept = await sql`
    delete from mailbox_messages where team_id = ${teamId} and contact_id = any(${ids}::uuid[])`;
  const memberships = await sql`
    with gone as (
      delete from cohort_members where team_id = ${teamId} and contact_id = any(${ids}::uuid[])
      returning cohort_id
    )
    update cohorts c set member_count = member_count - g.count, updated_at = now(),
      lock_version = lock_version + 1
    from (select cohort_id, count(*)::int as count from gone group by cohort_id) g
    where c.team_id = ${teamId} and c.id = g.cohort_id`;
  const changed = [devices, accounts, suppressions, completions, sends, kept, sessions, guesses];
  return [...changed, sources, asked, left, topics, memberships].reduce(
    (sum, { count }) => sum + count,
    0,
  );
}

/** Ends what the last sweep needed. */
export async function deleteAccounts(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  await sql`
    delete from accounts where team_id = ${teamId} and contact_id = any(${[...contactIds]}::uuid[])`;
}

/** Erases rows by address; a suppression stays if another contact of the team has the address. */
export async function eraseAddresses(sql: Sql, { teamId, addresses }: Persons): Promise<number> {
  const all = [...addresses];
  const suppressions = await sql`
    delete from suppressions s
    where s.team_id = ${teamId} and folded(s.address) in (select folded(a) from unnest(${all}::text[]) as a)
      and not exists (
      select from contacts c
      where c.team_id = ${teamId} and c.erased_at is null
        and (folded(c.email) = folded(s.address) or c.phone = s.address))`;
  const bounces = await sql`
    delete from inbound_soft_bounces b
    where b.team_id = ${teamId} and b.address in (select folded(a) from unnest(${all}::text[]) as a)`;
  const left = await sql`
    delete from former_opt_outs f
    where f.team_id = ${teamId} and f.address in (select folded(a) from unnest(${all}::text[]) as a)`;
  const topics = await sql`
    delete from former_topic_opt_outs f
    where f.team_id = ${teamId} and f.address in (select folded(a) from unnest(${all}::text[]) as a)`;
  const kept = await sql`
    delete from mailbox_messages
    where team_id = ${teamId}
      and folded(recipient) in (select folded(a) from unnest(${all}::text[]) as a)`;
  return [suppressions, bounces, left, topics, kept].reduce((sum, { count }) => sum + count, 0);
}

/** Deletes stored responses about the person, which frees their idempotency keys. */
export async function eraseAnswers(
  sql: Sql,
  { teamId, contactIds, needles }: Persons,
): Promise<number> {
  const rows = await sql`
    delete from idempotency_keys k
    where k.team_id = ${teamId} and (k.contact_ids && ${[...contactIds]}::uuid[]
      or not k.is_sealed and exists (
        select from unnest(${[...needles]}::text[]) as n (text)
        where strpos(folded(k.body), n.text) > 0))`;
  return rows.count;
}
