import type { Keyring } from '../../../platform/auth/keyring.ts';
import { withinEntitlement } from '../../../platform/auth/scopes.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { pageStatement } from '../../../platform/lists/sql.ts';
import { openBirthDate } from '../../../contacts/edit.ts';
import { findContacts } from '../../../contacts/queries.ts';
import { fileQuotaProblem } from '../../../team/file-quota.ts';
import type { ExportRow } from '../queries.ts';
import { writeChained } from './archive.ts';
import { csvHeader, csvLine, jsonLine } from './lines.ts';
import { endExport, recordEnd } from './end.ts';
import { advanceExport, insertPart, insertText, lockOpenExport } from './queries.ts';
import type { Frame, OpenExport } from './queries.ts';
import { scopesOfExport, sectionsOf } from './sections.ts';
import type { Section } from './sections.ts';

/** Archived messages of one part at most. */
const messagesOfPart = 500;

/** Rows of one part: some hundred kilobytes, and few enough for memory if rows are largest. */
const rowsOfPart = 2_000;

/**
 * Writes the next part of a file in the caller's transaction, under the lock of its row, which
 * stores the progress. A restart continues after the last part. Returns undefined if nothing is
 * left to write, if its client or its team may not write it now, or if the files of the team have no
 * room for the part.
 */
export async function writePart(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  exportId: string,
): Promise<ExportRow | undefined> {
  const row = await writeNext(sql, keyring, teamId, exportId);
  if (row?.status === 'succeeded') recordEnd(sql, row);
  return row;
}

async function writeNext(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  exportId: string,
): Promise<ExportRow | undefined> {
  const row = await lockOpenExport(sql, teamId, exportId);
  if (!row || row.is_team_suspended || (await failsForRights(sql, row))) return undefined;
  const sections = sectionsOf(row, await birthDateOf(sql, keyring, row));
  const section = sections[row.section];
  if (!section) throw new Error('an export has no such section');
  if (row.format === 'csv' && row.next_part === 0) {
    const header = `${csvHeader(section.item)}\r\n`;
    await insertText(sql, row, header);
    return advanceExport(sql, row, {
      ...positionOf(row),
      rows: 0,
      size: Buffer.byteLength(header),
    });
  }
  if (row.kind === 'archived_messages') return writeArchived(sql, keyring, row, section);
  const isLast = row.section === sections.length - 1;
  const line = row.format === 'csv' ? csvLine(section.item) : jsonLine(section.item);
  const page = pageOf(section, row.cursor_id, rowsOfPart);
  const frame = frameOf(row, section, isLast);
  const { rows, last_id, size } = await insertPart(sql, row, page, rowsOfPart, line, frame);
  if (await failsForRoom(sql, row)) return undefined;
  const isThrough = rows < rowsOfPart;
  return advanceExport(sql, row, {
    status: isThrough && isLast ? 'succeeded' : 'running',
    section: isThrough && !isLast ? row.section + 1 : row.section,
    cursor_id: isThrough ? null : last_id,
    rows,
    size,
  });
}

/** A part of archived messages; its chain goes on from the part before. */
async function writeArchived(
  sql: Sql,
  keyring: Keyring,
  row: ExportRow,
  section: Section,
): Promise<ExportRow | undefined> {
  const page = pageOf(section, row.cursor_id, messagesOfPart);
  const part = await writeChained(sql, keyring, row, page, messagesOfPart);
  if (await failsForRoom(sql, row)) return undefined;
  const { rows, size, chain, lastId: cursor_id, isThrough } = part;
  const status = isThrough ? 'succeeded' : 'running';
  return advanceExport(sql, row, { status, section: 0, cursor_id, rows, size, chain });
}

/** Fails the export if its client has lost a scope of what it shows since it asked for it. */
async function failsForRights(sql: Sql, row: OpenExport): Promise<boolean> {
  const needed = scopesOfExport(row);
  const held = withinEntitlement(needed, row.entitled ?? needed);
  const missing = needed.filter((scope) => !held.includes(scope));
  if (missing.length === 0) return false;
  const detail = `The client that requested the file no longer has ${missing.join(', ')}.`;
  await endExport(sql, row, { code: 'scope_missing', detail });
  return true;
}

/** Fails the export if the files of the team have no room for the part. */
async function failsForRoom(sql: Sql, row: ExportRow): Promise<boolean> {
  const full = await fileQuotaProblem(sql, row.team_id, 0);
  if (full) await endExport(sql, row, full);
  return full !== undefined;
}

const positionOf = ({ section, cursor_id }: ExportRow) => ({
  status: 'running' as const,
  section,
  cursor_id,
});

/** In the order of ids, which never change: nothing is left out or comes twice. */
function pageOf({ source, filters }: Section, cursorId: string | null, rows: number) {
  const order = [{ name: 'id', field: { type: 'id' }, descending: false }] as const;
  const request = { order, filters, size: rows - 1, include: [], count: false };
  if (cursorId === null) return pageStatement(source, request);
  return pageStatement(source, request, { direction: 'after', position: [cursorId] });
}

function frameOf(row: ExportRow, { name, isSingle = false }: Section, isLast: boolean): Frame {
  if (row.format !== 'json') {
    const ending = row.format === 'csv' ? '\r\n' : '\n';
    return { ending, separator: '', prefix: '', opening: '', empty: '', closing: '' };
  }
  const isFirst = row.cursor_id === null;
  const begin = row.section === 0 ? '{' : ',';
  return {
    ending: '',
    separator: ',',
    prefix: isFirst ? '' : ',',
    opening: isFirst ? `${begin}\n${JSON.stringify(name)}:${isSingle ? '' : '['}` : '',
    empty: isSingle ? 'null' : '',
    closing: `${isSingle ? '' : ']'}${isLast ? '\n}\n' : ''}`,
  };
}

/** Empty for none, and for who may not see it. */
async function birthDateOf(sql: Sql, keyring: Keyring, row: ExportRow): Promise<string> {
  if (!row.shows_birth_date || row.contact_id === null || row.section > 0) return '';
  const [contact] = await findContacts(sql, row.team_id, [row.contact_id]);
  return contact ? (openBirthDate(contact, keyring) ?? '') : '';
}
