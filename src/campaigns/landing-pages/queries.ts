import type { Sql } from '../../platform/database/sql.ts';
import { withJson } from '../../platform/database/json-columns.ts';
import { unlessConflict } from '../../platform/database/on-conflict.ts';
import { notFound, taken } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { VersionedBlock } from '../content-blocks/queries.ts';
import type { LandingPageRow } from './landing-page.ts';

const jsonColumns = ['theme', 'seo'];

/** The fields of a landing page that a client writes. */
export type LandingPageContent = Pick<
  LandingPageRow,
  'name' | 'slug' | 'title' | 'description' | 'locale' | 'theme' | 'seo' | 'content_block_ids'
>;
type Lifecycle = Pick<LandingPageRow, 'status' | 'archived_at'>;

// The visible content of the row t of landing_pages; the version of a block stands for its content.
const fingerprint = `jsonb_build_object(
  'title', coalesce(t.title, t.name), 'description', t.description, 'locale', t.locale, 'theme', t.theme,
  'seo', t.seo, 'blocks', (
    select jsonb_agg(jsonb_build_array(b.id, b.version) order by requested.place)
    from unnest(t.content_block_ids) with ordinality as requested (id, place)
    join content_blocks b on b.team_id = t.team_id and b.id = requested.id
  )
)`;

/** The resource, from a row t of landing_pages. The base comes from the configuration. */
const columns = (baseUrl: string) => `t.*, 'landing_page' as type,
  '${baseUrl.replaceAll("'", "''")}/p/' || t.team_id || '/' || t.slug as url,
  exists (
    select from landing_page_versions v
    where v.team_id = t.team_id and v.landing_page_id = t.id and v.version = t.version
      and v.fingerprint is distinct from ${fingerprint}
  ) as has_unpublished_changes`;

export function landingPageSource(teamId: string, baseUrl: string): ListSource {
  return {
    from: 'landing_pages t',
    select: columns(baseUrl),
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
    defaultHidden: { text: `t.status = 'archived'`, unless: ['status'] },
  };
}

/** One landing page of a team. */
export interface PageKey {
  teamId: string;
  id: string;
  /** Where the service is reached. */
  baseUrl: string;
}

export async function requireLandingPage(
  sql: Sql,
  { teamId, id, baseUrl }: PageKey,
): Promise<LandingPageRow> {
  const [row] = await sql<LandingPageRow[]>`
    select ${sql.unsafe(columns(baseUrl))} from landing_pages t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  if (!row) throw notFound('landing_page');
  return row;
}

export async function lockLandingPage(sql: Sql, place: PageKey): Promise<LandingPageRow> {
  await sql`
    select from landing_pages
    where team_id = ${place.teamId} and id = ${place.id} and deleted_at is null
    for update`;
  return requireLandingPage(sql, place);
}

/** Returns the id. Throws 409 where the slug is in use. */
export async function insertLandingPage(
  sql: Sql,
  teamId: string,
  page: LandingPageContent,
): Promise<string> {
  const [made] = await sql<{ id: string }[]>`
    insert into landing_pages ${sql(withJson(sql, { team_id: teamId, ...page }, jsonColumns))}
    on conflict do nothing
    returning id`;
  if (!made) throw await slugTaken(sql, teamId, page.slug);
  return made.id;
}

/** Throws 409 where the slug is in use. The page is locked. */
export async function updateLandingPageRow(
  sql: Sql,
  place: PageKey,
  { slug, ...changes }: Partial<Omit<LandingPageContent, 'slug'> & Lifecycle> & { slug: string },
): Promise<LandingPageRow> {
  const done = await unlessConflict(
    sql,
    'landing_pages_slug',
    () => sql`
      update landing_pages
      set ${sql(withJson(sql, { slug, ...changes }, jsonColumns))}, lock_version = lock_version + 1,
        updated_at = now()
      where team_id = ${place.teamId} and id = ${place.id}`,
  );
  if (!done) throw await slugTaken(sql, place.teamId, slug);
  return requireLandingPage(sql, place);
}

/** Content of a page at its publication, complete for rendering. */
export interface Snapshot {
  title: string | null;
  description: string | null;
  locale: string | null;
  theme: LandingPageRow['theme'];
  seo: LandingPageRow['seo'];
  blocks: Pick<VersionedBlock, 'id' | 'key' | 'kind' | 'body' | 'localizations' | 'version'>[];
}

/** Keeps the snapshot as the next version and shows it. The page and its blocks are locked. */
export async function publishSnapshot(
  sql: Sql,
  place: PageKey,
  snapshot: Snapshot,
): Promise<LandingPageRow> {
  const { teamId, id } = place;
  await sql`
    update landing_pages
    set status = 'published', version = version + 1, published_at = now(),
      lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
  await sql`
    insert into landing_page_versions
      (team_id, landing_page_id, version, content, fingerprint)
    select team_id, id, version, ${JSON.stringify(snapshot)}::text::jsonb,
      ${sql.unsafe(fingerprint)}
    from landing_pages t
    where team_id = ${teamId} and id = ${id}`;
  return requireLandingPage(sql, place);
}

export async function deleteLandingPageRow(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update landing_pages
    set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
    where team_id = ${teamId} and id = ${id}`;
}

/** The first of the slugs that no page of the team has; undefined if all are in use. */
export async function findFreeSlug(sql: Sql, teamId: string, slugs: readonly string[]) {
  const [row] = await sql<{ slug: string }[]>`
    select slug from unnest(${[...slugs]}::text[]) with ordinality as requested (slug, place)
    where not exists (
      select from landing_pages p
      where p.team_id = ${teamId} and p.slug collate "C" = requested.slug
        and p.deleted_at is null and p.status <> 'archived'
    )
    order by place limit 1`;
  return row?.slug;
}

async function slugTaken(sql: Sql, teamId: string, slug: string) {
  const [holder] = await sql<{ id: string }[]>`
    select id from landing_pages
    where team_id = ${teamId} and slug = ${slug} collate "C" and deleted_at is null
      and status <> 'archived'`;
  return taken('slug_taken', 'landing_page', 'slug', holder);
}
