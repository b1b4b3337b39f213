import type { Sql } from '../../../platform/database/sql.ts';
import type { Credential } from '../access/queries.ts';

/** A file whose result can be read. */
export interface ResultRow {
  id: string;
  /** Name of the uploaded file. */
  name: string;
  status: string;
  batch_operation_id: string | null;
  error_code: string | null;
  error_detail: string | null;
  result_size_bytes: number | null;
  completed_at: string;
}

const resultColumns = `id, name, status, batch_operation_id, error_code, error_detail,
  result_size_bytes, completed_at`;

/** Lists the newest file of each name whose import has ended. */
export async function listResults(
  sql: Sql,
  { team_id, id }: Credential,
  { days, limit }: { days: number; limit: number },
): Promise<ResultRow[]> {
  return sql<ResultRow[]>`
    select ${sql.unsafe(resultColumns)} from (
      select distinct on (name) * from (
        select *, substring(path from '[^/]+$') as name from sftp_uploads
        where team_id = ${team_id} and sftp_credential_id = ${id} and size_bytes is not null
          and status <> 'receiving' and path ~* '\\.(csv|ndjson)$'
          and inserted_at > now() - make_interval(days => ${days})
      ) named
      order by name, inserted_at desc, id desc
    ) newest
    where completed_at is not null
    order by completed_at desc, id desc limit ${limit} /* team_id is in the inner one */`;
}

/** The newest file of a name, in any folder; undefined until its import has ended. */
export async function findResult(
  sql: Sql,
  { team_id, id }: Credential,
  name: string,
  paths: readonly string[],
  days: number,
): Promise<ResultRow | undefined> {
  const [row] = await sql<(Omit<ResultRow, 'completed_at'> & { completed_at: string | null })[]>`
    select ${sql.unsafe(resultColumns)} from (
      select *, ${name} as name from sftp_uploads
      where team_id = ${team_id} and sftp_credential_id = ${id} and path = any(${[...paths]})
        and size_bytes is not null and status <> 'receiving'
        and inserted_at > now() - make_interval(days => ${days})
      order by inserted_at desc, id desc limit 1
    ) newest /* team_id is in the inner one */`;
  return row && row.completed_at !== null ? { ...row, completed_at: row.completed_at } : undefined;
}

/** One line of a result: RFC 4180, and nothing that a spreadsheet would run. */
const resultLine = `i.index || ',' || i.status || ',' || coalesce(i.resource_id::text, '') || ',' ||
  coalesce((
    select string_agg(e.problem ->> 'code', ';' order by e.place) || ',"' || replace(
      regexp_replace(string_agg(e.problem ->> 'detail', ' ' order by e.place),
        '^([=+@\\t\\r-])', '''\\1'), '"', '""') || '"'
    from jsonb_array_elements(i.errors) with ordinality as e (problem, place)
  ), ',') || e'\\r\\n'`;

/** Length of the lines of each group of so many items, in bytes. */
export async function listResultPieces(
  sql: Sql,
  teamId: string,
  runId: string | null,
  pieceItems: number,
): Promise<{ index: number; length: number }[]> {
  return sql<{ index: number; length: number }[]>`
    select min(i.index) / ${pieceItems} * ${pieceItems} as index,
      sum(octet_length(${sql.unsafe(resultLine)}))::int as length
    from operation_items i
    where i.team_id = ${teamId} and i.run_id = ${runId}
    group by i.index / ${pieceItems}
    order by 1`;
}

/** The lines of the items from an index on. */
export async function readResultPiece(
  sql: Sql,
  teamId: string,
  runId: string | null,
  fromIndex: number,
  pieceItems: number,
): Promise<string> {
  const [row] = await sql<[{ lines: string }]>`
    select coalesce(string_agg(${sql.unsafe(resultLine)}, '' order by i.index), '') as lines
    from operation_items i
    where i.team_id = ${teamId} and i.run_id = ${runId}
      and i.index >= ${fromIndex} and i.index < ${fromIndex + pieceItems}`;
  return row.lines;
}

export async function writeResultSize(
  sql: Sql,
  teamId: string,
  id: string,
  sizeBytes: number,
): Promise<void> {
  await sql`
    update sftp_uploads set result_size_bytes = ${sizeBytes}
    where team_id = ${teamId} and id = ${id}`;
}
