import { entitledOf } from '../../../platform/database/entitled.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { ListSource } from '../../../platform/lists/sql.ts';
import type { DataSchema } from '../../../platform/schema/data-schema.ts';
import type { VersionedBlock } from '../../content-blocks/queries.ts';
import type { MessageRow } from '../../messages/message.ts';
import type { PageRow } from '../../pages/page.ts';
import type { TemplateRow } from '../queries.ts';
import type { TemplateAction, TemplateStatus } from '../rules.ts';

/** All content that a launched template needs, independent of later edits. */
export interface VersionContent extends Pick<
  TemplateRow,
  | 'use_case'
  | 'holdout_percent'
  | 'exit_on_objectives'
  | 'exit_on_leaving_cohort'
  | 'entry'
  | 'reentry'
  | 'reentry_interval'
  | 'target_cohort_ids'
  | 'exclusion_cohort_ids'
  | 'secure_personalization'
  | 'objective_ids'
> {
  pages: PageRow[];
  messages: MessageRow[];
  content_blocks: VersionedBlock[];
}

/**
 * Stores the content of a template as its next version, unless the newest version is the same.
 * Returns the number of the newest version.
 */
export async function keepVersion(
  sql: Sql,
  { team_id, id, name, template_version }: TemplateRow,
  content: VersionContent,
): Promise<number> {
  const json = JSON.stringify(content);
  const [kept] = await sql<{ version: number }[]>`
    insert into template_versions (team_id, template_id, version, name, content)
    select ${team_id}, ${id}, ${template_version + 1}, ${name}, ${json}::text::jsonb
    where not exists (
      select from template_versions
      where team_id = ${team_id} and template_id = ${id} and version = ${template_version}
        and content = ${json}::text::jsonb
    )
    returning version`;
  return kept?.version ?? template_version;
}

export function versionSource(teamId: string, templateId: string): ListSource {
  return {
    from: 'template_versions t',
    select: `t.id, 'template_version' as type, t.team_id, t.template_id, t.version, t.name,
      t.inserted_at`,
    where: { text: 't.team_id = $1 and t.template_id = $2', values: [teamId, templateId] },
  };
}

interface VersionRow {
  id: string;
  type: 'template_version';
  team_id: string;
  template_id: string;
  version: number;
  name: string;
  inserted_at: string;
  content: VersionContent;
}

export async function findVersion(sql: Sql, teamId: string, templateId: string, version: number) {
  const [row] = await sql<VersionRow[]>`
    select *, 'template_version' as type from template_versions
    where team_id = ${teamId} and template_id = ${templateId} and version = ${version}`;
  return row && { ...row.content, ...row };
}

/** The fields of a launched message that decide about its sends. */
export type LaunchedMessage = Pick<
  MessageRow,
  'id' | 'channel' | 'purpose' | 'topic_id' | 'trigger' | 'frequency_cap_exempt' | 'data_schema'
> & { variants: readonly { key: string; weight: number }[] };

/** A message as the newest launch of its template took it, without its texts. */
export async function findLaunchedMessage(
  sql: Sql,
  { team_id, id, template_version }: Pick<TemplateRow, 'team_id' | 'id' | 'template_version'>,
  messageId: string,
): Promise<LaunchedMessage | undefined> {
  const [row] = await sql<LaunchedMessage[]>`
    select m.id, m.channel, m.purpose, m.topic_id, m.trigger, m.frequency_cap_exempt, m.data_schema,
      array(
        select variant - 'overrides' from jsonb_array_elements(m.variants) as variant
      ) as variants
    from template_versions v
    cross join lateral jsonb_to_recordset(v.content -> 'messages') as m (id uuid, channel text,
      purpose text, topic_id uuid, trigger jsonb, frequency_cap_exempt boolean,
      data_schema jsonb, variants jsonb)
    where v.team_id = ${team_id} and v.template_id = ${id} and v.version = ${template_version}
      and m.id = ${messageId}`;
  return row;
}

/** The different schemas of data that the messages of journeys of the newest launch declare. */
export async function listDataSchemas(
  sql: Sql,
  { team_id, id, template_version }: Pick<TemplateRow, 'team_id' | 'id' | 'template_version'>,
): Promise<DataSchema[]> {
  const rows = await sql<{ data_schema: DataSchema }[]>`
    select distinct m.data_schema
    from template_versions v
    cross join lateral jsonb_to_recordset(v.content -> 'messages')
      as m (trigger jsonb, data_schema jsonb)
    where v.team_id = ${team_id} and v.template_id = ${id} and v.version = ${template_version}
      and m.data_schema is not null and m.trigger ->> 'kind' <> 'on_request'`;
  return rows.map(({ data_schema }) => data_schema);
}

export interface StatusChange {
  from_status: TemplateStatus | null;
  action: TemplateAction | 'create' | 'duplicate';
  cause: 'api' | 'timer' | 'operator';
  client_id: string | null;
  occurred_at: string;
}

/** Adds to the history how the template came to the status that it has now. */
export async function insertStatusChange(
  sql: Sql,
  { team_id, id, status, lock_version }: TemplateRow,
  change: StatusChange,
): Promise<void> {
  const row = { team_id, template_id: id, to_status: status, sequence: lock_version, ...change };
  await sql`insert into template_status_changes ${sql(row)} /* team_id is in the row */`;
}

export function statusChangeSource(teamId: string, templateId: string): ListSource {
  return {
    from: 'template_status_changes t',
    select: `t.*, 'template_status_change' as type`,
    where: { text: 't.team_id = $1 and t.template_id = $2', values: [teamId, templateId] },
  };
}

/**
 * Present entitlement of the client that scheduled a template last; none while it is suspended.
 * Undefined where no client did.
 */
export async function findSchedulerEntitlement(
  sql: Sql,
  { team_id, id }: Pick<TemplateRow, 'team_id' | 'id'>,
): Promise<string[] | undefined> {
  const [row] = await sql<{ entitled: string[] | null }[]>`
    select ${sql.unsafe(entitledOf('h', 'client_id'))} as entitled from template_status_changes h
    where h.team_id = ${team_id} and h.template_id = ${id} and h.action = 'schedule'
    order by h.sequence desc, h.id desc limit 1`;
  return row?.entitled ?? undefined;
}
