import type { Sql } from '../../../platform/database/sql.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import { entitledOf } from '../../../platform/database/entitled.ts';
import { collectValues } from '../../../platform/lists/statement.ts';
import type { Statement } from '../../../platform/lists/statement.ts';
import type { ListSource } from '../../../platform/lists/sql.ts';
import type { ExportRow } from '../queries.ts';
import type { Line } from './lines.ts';

/** An export that is being made, with the present rights of the client that asked for it. */
export interface OpenExport extends ExportRow {
  /** Entitlement of the client; empty while it is suspended. */
  entitled: string[] | null;
  is_team_suspended: boolean;
}

/** Locks an export that is being made until the end of the transaction. */
export async function lockOpenExport(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<OpenExport | undefined> {
  const [row] = await sql<OpenExport[]>`
    select t.*, 'export' as type,
      ${sql.unsafe(entitledOf('t', 'requested_by_client_id'))} as entitled,
      (select m.suspended_at is not null from teams m where m.id = t.team_id) as is_team_suspended
    from exports t
    where t.team_id = ${teamId} and t.id = ${id} and t.status in ('queued', 'running')
      and t.deleted_at is null
    for no key update`;
  return row;
}

export async function findExport(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<ExportRow | undefined> {
  const [row] = await sql<ExportRow[]>`
    select t.*, 'export' as type from exports t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  return row;
}

/** Texts around the lines of a part. */
export interface Frame {
  /** Behind each line. */
  ending: string;
  /** Between two lines. */
  separator: string;
  /** Before the first line; nothing where there is none, but for what opens a section. */
  prefix: string;
  opening: string;
  /** Instead of lines where there are none. */
  empty: string;
  /** Behind the last line of the section. */
  closing: string;
}

export interface WrittenPart {
  rows: number;
  last_id: string | null;
  size: number;
}

/**
 * Writes the rows of a page as a part of the file within Postgres, so that the process never reads
 * them.
 */
export async function insertPart(
  sql: Sql,
  { team_id, id, next_part, section }: ExportRow,
  page: Statement,
  pageRows: number,
  line: Line,
  { ending, separator, prefix, opening, empty, closing }: Frame,
): Promise<WrittenPart> {
  const { values, bind } = collectValues(page.values);
  const text = `
    with page as materialized (${page.text}),
    lines as (select page.id, ${line.expression} as text from page ${line.join}),
    made as (
      select count(*)::int as rows, (array_agg(id order by id desc))[1] as last_id,
        string_agg(text || ${bind(ending, 'text')}, ${bind(separator, 'text')} order by id) as body
      from lines
    ),
    part as (
      insert into export_parts (team_id, export_id, number, section, last_id, bytes)
      select ${bind(team_id, 'uuid')}, ${bind(id, 'uuid')}, ${bind(next_part, 'int')},
        ${bind(section, 'int')}, last_id, convert_to(${bind(opening, 'text')} ||
          coalesce(${bind(prefix, 'text')} || body, ${bind(empty, 'text')}) ||
          case when rows < ${bind(pageRows, 'int')} then ${bind(closing, 'text')} else '' end,
          'UTF8')
      from made
      returning octet_length(bytes) as size
    )
    select made.rows, made.last_id, part.size from made, part`;
  const [written] = await sql.unsafe<WrittenPart[]>(text, [...values]);
  if (!written) throw new Error('a part of an export was not written');
  return written;
}

/** The rows of a page, for a part that is made in the process. */
export async function readPage<Row extends object>(
  sql: Sql,
  { text, values }: Statement,
): Promise<Row[]> {
  return sql.unsafe<Row[]>(text, [...values]);
}

/** A part that is no rows, such as the header of a CSV file. */
export async function insertText(
  sql: Sql,
  { team_id, id, next_part }: ExportRow,
  text: string,
): Promise<void> {
  await sql`
    insert into export_parts (team_id, export_id, number, section, bytes)
    values (${team_id}, ${id}, ${next_part}, -1, ${Buffer.from(text)})`;
}

export type Progress = Pick<ExportRow, 'status' | 'section' | 'cursor_id'> & {
  rows: number;
  size: number;
  chain?: string;
};

/** Advances an export by a part. */
export async function advanceExport(
  sql: Sql,
  { team_id, id }: ExportRow,
  { status, section, cursor_id, rows, size, chain }: Progress,
): Promise<ExportRow> {
  const [row] = await sql<[ExportRow]>`
    update exports as t
    set status = ${status}, section = ${section}, cursor_id = ${cursor_id},
      row_count = row_count + ${rows}, size_bytes = size_bytes + ${size},
      chain_sha256 = ${chain ?? null}, next_part = next_part + 1,
      started_at = coalesce(started_at, now()), updated_at = now(),
      lock_version = lock_version + 1,
      completed_at = case when ${status} = 'succeeded' then now() end,
      expires_at = now() + interval '24 hours'
    where t.team_id = ${team_id} and t.id = ${id}
    returning t.*, 'export' as type`;
  return row;
}

/** The code is one of the error catalog, or `canceled`. */
export async function failExport(
  sql: Sql,
  { team_id, id }: ExportRow,
  error: { code: Problem['code'] | 'canceled'; detail: string },
): Promise<ExportRow> {
  await sql`delete from export_parts where team_id = ${team_id} and export_id = ${id}`;
  const [row] = await sql<[ExportRow]>`
    update exports t
    set status = 'failed', error = ${JSON.stringify(error)}::text::jsonb, completed_at = now(),
      updated_at = now(), lock_version = lock_version + 1
    where t.team_id = ${team_id} and t.id = ${id}
    returning t.*, 'export' as type`;
  return row;
}

/** Open exports without progress for a while: their workflow may no longer exist. */
export async function listStaleExports(
  sql: Sql,
  untouchedMs: number,
  limit: number,
): Promise<{ id: string; team_id: string }[]> {
  return sql<{ id: string; team_id: string }[]>`
    select id, team_id from exports t
    where status in ('queued', 'running') and deleted_at is null
      and not exists (select from teams m where m.id = t.team_id and m.suspended_at is not null)
      and updated_at < now() - make_interval(secs => ${untouchedMs / 1_000})
    order by updated_at
    limit ${limit} /* any team: the relay serves all */`;
}

/** Deletes expired files, and later their rows; returns the numbers of parts and rows. */
export async function pruneExports(sql: Sql, limit: number): Promise<number> {
  const parts = await sql`
    delete from export_parts /* any team: housekeeping */
    where (team_id, export_id, number) in (
      select p.team_id, p.export_id, p.number
      from exports t
      join export_parts p on p.team_id = t.team_id and p.export_id = t.id
      where t.expires_at < now() and t.status not in ('queued', 'running')
      limit ${limit}
    )`;
  const rows = await sql`
    delete from exports /* any team: housekeeping */
    where expires_at < now() - interval '90 days'`;
  return parts.count + rows.count;
}

/** Suppressions of a contact, or of an address or number of it. */
export function suppressionSourceOf(teamId: string, contactId: string): ListSource {
  return {
    from: 'suppressions t',
    select: `t.*, 'suppression' as type`,
    where: {
      text: `t.team_id = $1::uuid and t.deleted_at is null and (t.contact_id = $2::uuid or exists (
        select from contacts c
        where c.team_id = $1::uuid and c.id = $2::uuid and t.address in (c.email, c.phone)))`,
      values: [teamId, contactId],
    },
  };
}

/** The cohorts that a contact is in. */
export function membershipSource(teamId: string, contactId: string): ListSource {
  return {
    from: 'cohort_members m join cohorts t on t.team_id = m.team_id and t.id = m.cohort_id',
    select: `t.id, 'cohort' as type, t.name, m.joined_at`,
    where: {
      text: 'm.team_id = $1::uuid and m.contact_id = $2::uuid',
      values: [teamId, contactId],
    },
  };
}

/** Callbacks of providers about a contact. */
export function callbackSource(teamId: string, contactId: string): ListSource {
  return {
    from: 'inbound_deliveries t',
    select: `t.*, 'inbound_delivery' as type`,
    where: {
      text: 't.team_id = $1::uuid and t.contact_id = $2::uuid',
      values: [teamId, contactId],
    },
  };
}
