import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { exportJob } from '../../../workflows/jobs.ts';
import { requireFileRoom } from '../../team/file-quota.ts';
import { sensitiveScope } from './kinds.ts';
import type { ExportedList, Condition } from './kinds.ts';
import { insertExport } from './queries.ts';
import type { ExportRow } from './queries.ts';

/** A file of a list, which a worker makes. Throws 422 and 429. */
export async function askForList(
  sql: Sql,
  { teamId, clientId }: Principal,
  requested: {
    kind: ExportedList;
    format: 'csv' | 'ndjson';
    filters: Readonly<Record<string, string>>;
    conditions: readonly Condition[];
  },
): Promise<ExportRow> {
  await requireFileRoom(sql, teamId, 1);
  const made = await insertExport(sql, teamId, { ...requested, requested_by_client_id: clientId });
  await signalJob(sql, exportJob, made.id, teamId);
  return made;
}

/** A file with all data of a contact that the caller may read, including the date of birth. */
export async function askForContact(
  sql: Sql,
  { teamId, clientId, scopes }: Principal,
  contactId: string,
): Promise<ExportRow> {
  await requireFileRoom(sql, teamId, 1);
  const made = await insertExport(sql, teamId, {
    kind: 'contact',
    format: 'json',
    contactId,
    showsBirthDate: scopes.has(sensitiveScope),
    readScopes: [...scopes].filter((scope) => scope.endsWith(':read')).sort(),
    requested_by_client_id: clientId,
  });
  await signalJob(sql, exportJob, made.id, teamId);
  return made;
}
