import type { Sql } from '../../platform/database/sql.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { fail, notFound } from '../../platform/http/errors.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import type { Export } from './export.ts';
import type { Condition } from './kinds.ts';

export interface ExportRow extends Omit<RowOf<typeof Export>, 'filters'> {
  filters: Record<string, string>;
  conditions: Condition[];
  shows_birth_date: boolean;
  /** Scopes of the token that requested a file about a contact. Other sections are left out. */
  read_scopes: string[];
  section: number;
  cursor_id: string | null;
  next_part: number;
}

/** Open exports of a team; their parts are written in turn. */
export const maxOpen = 100;

const shown = `t.*, 'export' as type`;

export function exportSource(teamId: string): ListSource {
  return {
    from: 'exports t',
    select: shown,
    where: { text: 't.team_id = $1::uuid and t.deleted_at is null', values: [teamId] },
  };
}

type NewExport = Pick<Export, 'kind' | 'format' | 'requested_by_client_id'> & {
  filters?: Readonly<Record<string, string>>;
  conditions?: readonly Condition[];
  contactId?: string;
  showsBirthDate?: boolean;
  readScopes?: readonly string[];
};

/** Throws 429 if the team has too many open exports. */
export async function insertExport(
  sql: Sql,
  teamId: string,
  requested: NewExport,
): Promise<ExportRow> {
  const {
    kind,
    format,
    filters = {},
    conditions = [],
    contactId,
    showsBirthDate = false,
  } = requested;
  const { readScopes = [] } = requested;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${teamId}`}, 0))`;
  const [row] = await sql<ExportRow[]>`
    insert into exports as t (team_id, kind, format, filters, conditions, contact_id,
      shows_birth_date, read_scopes, requested_by_client_id)
    select ${teamId}, ${kind}, ${format}, ${JSON.stringify(filters)}::text::jsonb,
      ${JSON.stringify(conditions)}::text::jsonb, ${contactId ?? null}::uuid, ${showsBirthDate},
      ${[...readScopes]}::text[],
      ${requested.requested_by_client_id}
    where ${maxOpen} > (
      select count(*) from exports
      where team_id = ${teamId} and status in ('queued', 'running') and deleted_at is null)
    returning ${sql.unsafe(shown)}`;
  if (row) return row;
  throw fail('too_many_operations', {
    detail: `${String(maxOpen)} exports of the team are being made already.`,
    meta: { max: maxOpen },
    headers: { 'Retry-After': '10' },
  });
}

/** Throws 404. */
export async function requireExport(sql: Sql, teamId: string, id: string): Promise<ExportRow> {
  const [row] = await sql<ExportRow[]>`
    select ${sql.unsafe(shown)} from exports t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null`;
  if (!row) throw notFound('export');
  return row;
}

/** Locks the export until the end of the transaction. Throws 404. */
export async function lockExport(sql: Sql, teamId: string, id: string): Promise<ExportRow> {
  const [row] = await sql<ExportRow[]>`
    select ${sql.unsafe(shown)} from exports t
    where t.team_id = ${teamId} and t.id = ${id} and t.deleted_at is null
    for no key update`;
  if (!row) throw notFound('export');
  return row;
}

/** Hides the export and deletes its file. */
export async function deleteExportRow(sql: Sql, { team_id, id }: ExportRow): Promise<void> {
  await sql`delete from export_parts where team_id = ${team_id} and export_id = ${id}`;
  await sql`
    update exports set deleted_at = now(), updated_at = now(), lock_version = lock_version + 1
    where team_id = ${team_id} and id = ${id}`;
}

/** The bytes of one part of the file; undefined behind the last. */
export async function findPart(
  sql: Sql,
  { team_id, id }: ExportRow,
  number: number,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ bytes: Buffer }[]>`
    select bytes from export_parts
    where team_id = ${team_id} and export_id = ${id} and number = ${number}`;
  return row?.bytes;
}
