import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { MessageRow } from './message.ts';

const names = [
  'queued',
  'sent',
  'delivered',
  'bounced',
  'failed',
  'opened',
  'opened_machine',
  'clicked',
  'unsubscribed',
  'complained',
  'skipped',
];
const sums = names.map((name) => `'${name}', coalesce(sum(s.${name}), 0)`).join(', ');

/** The list of a template's messages with the counts of their deliveries by outcome, also by variant. */
export function withStats(source: ListSource): ListSource {
  return {
    ...source,
    select: `${source.select}, (
      select jsonb_build_object(${sums}) from message_stats s
      where s.team_id = t.team_id and s.message_id = t.id
    ) as stats, (
      select case when bool_or(v.variant_key <> '') then jsonb_agg(v.stats order by v.variant_key)
        else '[]' end
      from (
        select s.variant_key, jsonb_strip_nulls(jsonb_build_object(
          'variant_key', nullif(s.variant_key, ''), ${sums})) as stats
        from message_stats s
        where s.team_id = t.team_id and s.message_id = t.id
        group by s.variant_key having sum(s.queued) + sum(s.skipped) > 0
      ) v
    ) as stats_by_variant`,
  };
}

/** Activates the messages of a template at its launch. */
export async function activateMessages(
  sql: Sql,
  teamId: string,
  templateId: string,
): Promise<void> {
  await sql`
    update messages
    set status = 'active', lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and template_id = ${templateId} and deleted_at is null
      and status = 'draft'`;
}

/** Changes the page triggers of copied messages to the pages of the copy. */
export async function followCopiedPages(
  sql: Sql,
  teamId: string,
  templateId: string,
  copies: ReadonlyMap<string, string>,
): Promise<void> {
  await sql`
    update messages m
    set trigger = jsonb_set(m.trigger, '{page_id}', to_jsonb(ids.new))
    from unnest(${[...copies.keys()]}::uuid[], ${[...copies.values()]}::uuid[]) as ids (old, new)
    where m.team_id = ${teamId} and m.template_id = ${templateId}
      and lower(m.trigger ->> 'page_id') = ids.old::text`;
}

/** Messages by id, also those that were removed. */
export async function findMessages(
  sql: Sql,
  teamId: string,
  ids: readonly string[],
): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select *, 'message' as type from messages
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}
