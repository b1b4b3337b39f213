import type { Sql } from '../../platform/database/sql.ts';
import type { Persons } from '../../contacts/contact-erasures/sweeping/queries.ts';

/** Removes names of files by SFTP or from file sources that name the person; the results stay. */
export async function eraseFileNames(sql: Sql, { teamId, needles }: Persons): Promise<number> {
  const rows = await sql`
    update sftp_uploads t
    set path = regexp_replace(path, '[^/]+$', 'erased-' || left(t.id::text, 8) || '.csv'),
      erased_at = now(), updated_at = now()
    where t.team_id = ${teamId} and t.status <> 'receiving' and exists (
      select from unnest(${[...needles]}::text[]) as n (text)
      where strpos(folded(t.path), n.text) > 0)`;
  const fetches = await sql`
    update file_fetches f
    set path = regexp_replace(path, '[^/]+$', 'erased-' || left(f.sftp_upload_id::text, 8) || '.csv')
    where f.team_id = ${teamId} and f.next_attempt_at is null and exists (
      select from unnest(${[...needles]}::text[]) as n (text)
      where strpos(folded(f.path), n.text) > 0)`;
  return rows.count + fetches.count;
}

/** Files that are stored completely; uploads in progress are not included. */
export async function listUploads(
  sql: Sql,
  teamId: string,
): Promise<{ id: string; size_bytes: number }[]> {
  return sql<{ id: string; size_bytes: number }[]>`
    select id, size_bytes from uploads
    where team_id = ${teamId} and status = 'received'
    order by id`;
}

/**
 * Restarts the exports that hold the person, so that they are written without them. An export
 * about the person is deleted. Returns the ids of the restarted ones.
 */
export async function restartExports(sql: Sql, { teamId, contactIds }: Persons): Promise<string[]> {
  const ids = [...contactIds];
  const rows = await sql<{ id: string; kind: string }[]>`
    select id, kind from exports e
    where e.team_id = ${teamId} and e.deleted_at is null and e.status <> 'failed'
      and (e.contact_id = any(${ids}::uuid[]) or exists (
        select from export_parts p, unnest(${ids}::uuid[]) as requested (id)
        where p.team_id = ${teamId} and p.export_id = e.id
          and position(convert_to(requested.id::text, 'UTF8') in p.bytes) > 0))
    order by id
    for no key update`;
  const all = rows.map(({ id }) => id);
  if (all.length === 0) return [];
  await sql`
    delete from export_parts where team_id = ${teamId} and export_id = any(${all}::uuid[])`;
  await sql`
    update exports
    set status = 'queued', section = 0, cursor_id = null, chain_sha256 = null, next_part = 0, row_count = 0,
      size_bytes = 0, completed_at = null, updated_at = now(), lock_version = lock_version + 1,
      deleted_at = case when contact_id is not null then now() end
    where team_id = ${teamId} and id = any(${all}::uuid[])`;
  return rows.flatMap(({ id, kind }) => (kind === 'contact' ? [] : [id]));
}

/** Deletes exports whose filters name the person, and the filters of those that are deleted. */
export async function eraseExportFilters(sql: Sql, { teamId, needles }: Persons): Promise<number> {
  const rows = await sql`
    with named as (
      select id from exports e
      where e.team_id = ${teamId} and e.filters <> '{}' and exists (
        select from unnest(${[...needles]}::text[]) as n (text)
        where strpos(folded(e.filters::text || e.conditions::text), n.text) > 0)
      for no key update
    ), parts as (
      delete from export_parts p using named
      where p.team_id = ${teamId} and p.export_id = named.id
    )
    update exports e
    set filters = '{}', conditions = '[]', deleted_at = coalesce(e.deleted_at, now()),
      updated_at = now(), lock_version = e.lock_version + 1
    from named
    where e.team_id = ${teamId} and e.id = named.id`;
  return rows.count;
}

/** Erases the output of runs about the person, and the stored input of failed items. */
export async function eraseItems(
  sql: Sql,
  { teamId, contactIds, needles }: Persons,
): Promise<number> {
  const rows = await sql`
    update operation_items i set output = null, input = null
    where i.team_id = ${teamId} and (i.output is not null or i.input is not null)
      and (i.resource_id = any(${[...contactIds]}::uuid[]) or exists (
        select from unnest(${[...needles]}::text[]) as n (text)
        where strpos(folded(coalesce(i.output::text, '') || coalesce(i.input, '')), n.text) > 0))`;
  return rows.count;
}

/** Which of the chunks of a team. */
export interface ChunkPlace {
  run_id: string;
  number: number;
}

/** Items that still wait in runs, where some may name the person, in their order; JSON text. */
export async function listWaitingChunks(
  sql: Sql,
  { teamId, needles }: Persons,
  behind: ChunkPlace,
): Promise<(ChunkPlace & { input: string })[]> {
  return sql<(ChunkPlace & { input: string })[]>`
    select c.run_id, c.number, c.input from operation_chunks c
    where c.team_id = ${teamId} and c.input is not null
      and (c.run_id, c.number) > (${behind.run_id}, ${behind.number}) and exists (
        select from unnest(${[...needles]}::text[]) as n (text)
        where strpos(folded(c.input), n.text) > 0)
    order by c.run_id, c.number
    limit 10
    for update of c`;
}

export async function writeChunk(
  sql: Sql,
  teamId: string,
  { run_id, number }: ChunkPlace,
  input: string,
): Promise<void> {
  await sql`
    update operation_chunks set input = ${input}
    where team_id = ${teamId} and run_id = ${run_id} and number = ${number}`;
}
