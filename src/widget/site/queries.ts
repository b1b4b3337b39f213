import type { Sql } from '../../database/client.ts';
import type { Snapshot } from '../../partner/landing-pages/queries.ts';

/** Pages that may embed a widget, which is open; undefined where there is none of this key. */
export async function findOriginsOf(
  sql: Sql,
  publishableKey: string,
): Promise<string[] | undefined> {
  const [row] = await sql<{ allowed_origins: string[] }[]>`
    select allowed_origins from widget_instances
    where publishable_key = ${publishableKey} and is_active and archived_at is null
      and deleted_at is null /* any team: the key says which */`;
  return row?.allowed_origins;
}

export interface PublishedPage {
  id: string;
  content: Snapshot;
  version: number;
  team_name: string;
  tier: string;
}

/** What visitors see under a slug: the snapshot that was published last. */
export async function findPublishedPage(
  sql: Sql,
  teamId: string,
  slug: string,
): Promise<PublishedPage | undefined> {
  const [row] = await sql<PublishedPage[]>`
    select p.id, v.content, v.version, t.name as team_name, t.tier
    from landing_pages p
    join landing_page_versions v
      on v.team_id = p.team_id and v.landing_page_id = p.id and v.version = p.version
    join teams t on t.id = p.team_id
    where p.team_id = ${teamId} and p.slug = ${slug} collate "C" and p.status = 'published'
      and p.deleted_at is null`;
  return row;
}
