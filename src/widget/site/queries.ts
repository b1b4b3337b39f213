import type { Sql } from '../../platform/database/sql.ts';
import type { Snapshot } from '../../campaigns/landing-pages/queries.ts';

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
  version: number;
  team: { name: string; locale: string; timezone: string; currency: string };
  tier: string;
}

/** The page that visitors see under a slug, without its content. */
export async function findPublishedPage(
  sql: Sql,
  teamId: string,
  slug: string,
): Promise<PublishedPage | undefined> {
  const [row] = await sql<PublishedPage[]>`
    select p.id, p.version, t.tier, jsonb_build_object('name', t.name, 'locale', t.locale,
      'timezone', t.timezone, 'currency', t.currency) as team
    from landing_pages p
    join teams t on t.id = p.team_id and t.suspended_at is null
    where p.team_id = ${teamId} and p.slug = ${slug} collate "C" and p.status = 'published'
      and p.deleted_at is null`;
  return row;
}

/** The content of a version, which never changes, with its size in characters. */
export async function readVersion(
  sql: Sql,
  teamId: string,
  { id, version }: PublishedPage,
): Promise<{ content: Snapshot; size: number } | undefined> {
  const [row] = await sql<{ content: Snapshot; size: number }[]>`
    select content, length(content::text) as size from landing_page_versions
    where team_id = ${teamId} and landing_page_id = ${id} and version = ${version}`;
  return row;
}
