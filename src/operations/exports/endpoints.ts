import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database/client.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import { Answer, downloadEndpoint, endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { OneOf } from '../../platform/schema/fields.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import type { ListRow } from '../../platform/lists/list-endpoint.ts';
import { requireContact } from '../../contacts/queries.ts';
import { askForContact, askForList } from './ask.ts';
import { Export, ExportRequest, exportListFields } from './export.ts';
import { exportKinds, readConditions } from './kinds.ts';
import { endExport } from './writing/end.ts';
import { scopesOfExport } from './writing/sections.ts';
import { deleteExportRow, exportSource, findPart, lockExport, requireExport } from './queries.ts';
import type { ExportRow } from './queries.ts';

const tag = 'Exports';
const path = '/v2/partner/exports';
const readScope = 'partner:exports:read';

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

export const createExport = endpoint({
  id: 'createExport',
  method: 'POST',
  path,
  summary: 'Export a list, whole or filtered, to a file in the background',
  description:
    'Writes the contacts, or another list of the team, to a file in the background. Filters ' +
    'are those of the list; the token needs its read scope as well. Archived messages have ' +
    'their contents, and each line the SHA-256 of the line before. Poll the address in ' +
    'Location until the status is completed, then download the file. The file is kept for ' +
    'one day.',
  errors: [
    'invalid_filter_field',
    'invalid_filter_op',
    'invalid_filter_value',
    'quota_exceeded',
    'too_many_operations',
  ],
  tag,
  scope: 'partner:exports:write',
  rateClass: 'bulk',
  body: ExportRequest,
  status: 202,
  response: Export,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}`,
  audit: 'export.created',
  async handle({ sql, principal, body }) {
    const { kind, filters = {} } = body;
    checkScopes(principal, exportKinds[kind].scope);
    const format = formatOf(body);
    const conditions = readConditions(kind, filters);
    const made = await askForList(sql, principal, { kind, format, filters, conditions });
    return new Answer(made, pollHeaders(made));
  },
});

export const exportContact = endpoint({
  id: 'exportContact',
  method: 'POST',
  path: '/v2/partner/contacts/{id}/export',
  keyParams: ['id'],
  summary: 'Export all data of a contact to a file for the person',
  description:
    'Writes everything that is known about a contact to a JSON file in the background, for ' +
    'the person. Sections whose read scope the token lacks are left out and named in the file.' +
    ' Poll the address in Location until the status is completed, then download ' +
    'the file. The file is kept for one day. The request is recorded in the audit trail.',
  errors: ['resource_erased', 'contact_merged', 'quota_exceeded', 'too_many_operations'],
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'bulk',
  status: 202,
  response: Export,
  answerHeaders: ['Retry-After'],
  location: `${path}/{id}`,
  audit: 'export.created',
  async handle({ sql, teamId, params, principal }) {
    const { id: contactId } = await requireContact(sql, teamId, params.id);
    const made = await askForContact(sql, principal, contactId);
    return new Answer(made, pollHeaders(made));
  },
});

export const listExports = listEndpoint<ExportRow & ListRow>({
  id: 'listExports',
  path,
  summary: 'List exports',
  description:
    'Returns the exports of the team with their progress. A file can be downloaded until ' +
    'expires_at. The filters are shown to tokens that may read the file.',
  tag,
  scope: readScope,
  item: Export,
  fields: exportListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => exportSource(teamId),
  present: (row, _, principal) => shownTo(principal, row),
});

export const getExport = endpoint({
  id: 'getExport',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an export and its progress',
  description:
    'Returns one export and its progress. Until it has finished, the answer carries ' +
    'Retry-After. Download the file with the operation getExportFile. The filters are shown to ' +
    'tokens that may read the file.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: Export,
  answerHeaders: ['Retry-After'],
  async handle({ sql, teamId, params, principal }) {
    const row = shownTo(principal, await requireExport(sql, teamId, params.id));
    return new Answer(row, pollHeaders(row));
  },
});

export const getExportFile = downloadEndpoint({
  id: 'getExportFile',
  path: `${path}/{id}/file`,
  summary: 'Get the file of an export: CSV, NDJSON or JSON, as its format says',
  description:
    'Downloads the file of a finished export as CSV, NDJSON or JSON. The token needs the ' +
    'scope with which the exported resource is read. An export that has not finished is ' +
    'refused with 409, and one older than a day with 410.',
  query: Type.Object({
    bom: Type.Optional(
      OneOf(
        ['true', 'false'],
        'Whether a CSV file begins with a byte order mark, from which Excel recognizes UTF-8; false if absent',
      ),
    ),
  }),
  errors: ['execution_not_finished', 'result_expired', 'invalid_state_transition'],
  tag,
  scope: readScope,
  rateClass: 'bulk',
  audit: 'export.downloaded',
  download: {
    'text/csv': 'unique_id,email\nada,ada@example.com\n',
    'application/x-ndjson': '{"unique_id":"ada","email":"ada@example.com"}\n',
    'application/json': { contact: { unique_id: 'ada', email: 'ada@example.com' } },
  },
  answerHeaders: ['Content-Disposition'],
  async handle({ sql, teamId, params, query, principal, services }) {
    const row = await requireExport(sql, teamId, params.id);
    checkReader(row, principal);
    const hasMark = readMark(query.bom, row);
    checkFinished(row);
    const name = `${row.kind}-${row.id}.${row.format}`;
    const headers = {
      'Content-Type': mediaTypes[row.format],
      'Content-Disposition': `attachment; filename="${name}"`,
    };
    return new Answer(partsOf(services.database, row, hasMark), {
      headers,
      itemCount: row.row_count,
    });
  },
});

export const deleteExport = endpoint({
  id: 'deleteExport',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete an export and its file, or cancel a running export',
  description:
    'Deletes an export with its file. An export that is running stops. It cannot be undone, ' +
    'and the deletion is recorded in the audit trail.',
  tag,
  scope: 'partner:exports:write',
  rateClass: 'write',
  audit: 'export.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const row = await lockExport(sql, teamId, params.id);
    checkPrecondition(row);
    const isOpen = row.status === 'queued' || row.status === 'running';
    if (isOpen) await endExport(sql, row, deletedExport);
    await deleteExportRow(sql, row);
    return undefined;
  },
});

const deletedExport = {
  code: 'canceled',
  detail: 'The export was deleted while it was written.',
} as const;

export const exportEndpoints = [
  createExport,
  exportContact,
  listExports,
  getExport,
  getExportFile,
  deleteExport,
];

/** Lines of archived messages are chained, which cells cannot be. Throws 422. */
function formatOf({ kind, format }: Static<typeof ExportRequest>): 'csv' | 'ndjson' {
  if (kind !== 'archived_messages') return format ?? 'csv';
  if (format !== 'csv') return 'ndjson';
  throw fail('validation_failed', {
    detail: 'Archived messages are exported as ndjson.',
    meta: { pointer: '/format', rule: 'enum' },
  });
}

/** The caller must have the scopes of the content. */
/** Filters may name persons: only who may read the file sees them. */
function shownTo<Row extends ExportRow>({ scopes }: Principal, row: Row): Row {
  return scopesOfExport(row).every((scope) => scopes.has(scope)) ? row : { ...row, filters: {} };
}

function checkReader(row: ExportRow, principal: Principal): void {
  checkScopes(principal, ...scopesOfExport(row));
}

/** Throws 400 for another value, and for JSON, which must not begin with the mark (RFC 8259). */
function readMark(bom: string | undefined, { format }: ExportRow): boolean {
  const allowed = format === 'csv' ? ['true', 'false'] : ['false'];
  if (bom === undefined || allowed.includes(bom)) return bom === 'true';
  throw fail('invalid_query_parameter', {
    detail: `bom of a file of format ${format} is ${allowed.join(' or ')}.`,
    meta: { parameter: 'bom', allowed },
  });
}

function checkFinished(row: ExportRow): void {
  const { status, expires_at, error } = row;
  if (status === 'queued' || status === 'running') {
    throw fail('execution_not_finished', {
      detail: `The export is ${status}.`,
      meta: { state: status },
      ...pollHeaders(row),
    });
  }
  if (Date.parse(expires_at) <= Date.now()) {
    throw fail('result_expired', {
      detail: 'The file was available for one day.',
      meta: { expires_at },
    });
  }
  if (status === 'failed') {
    throw fail('invalid_state_transition', {
      detail: error?.detail ?? 'The export failed.',
      meta: { state: status, action: 'download', allowed_actions: [] },
    });
  }
}

function pollHeaders({ status }: ExportRow): { headers?: Record<string, string> } {
  return status === 'queued' || status === 'running' ? { headers: { 'Retry-After': '1' } } : {};
}

/** Each part uses its own connection, so that a slow reader occupies none. */
async function* partsOf(
  database: Database,
  row: ExportRow,
  hasMark: boolean,
): AsyncGenerator<string> {
  if (hasMark) yield '\ufeff';
  for (let number = 0; number < row.next_part; number += 1) {
    const at = number;
    const bytes = await database.read((sql) => findPart(sql, row, at));
    if (!bytes) throw new Error('a part of an export is gone');
    if (bytes.length > 0) yield bytes.toString('utf8');
  }
}
