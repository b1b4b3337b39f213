import { missingScopes } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { withSavepoint } from '../../platform/database/savepoint.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { sftpFileUploaded } from '../events.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { findOperation } from '../catalog.ts';
import { requireSftpUpload } from '../sftp-uploads/queries.ts';
import { startRun } from '../runs/start.ts';
import { failUpload } from './upload-status.ts';
import type { Failure } from './upload-status.ts';
import { principalOf } from './access/principal.ts';
import type { Sender } from './access/sender.ts';
import { writeContent, writeFormat, writeImport, writeReceived } from './queries.ts';
import type { Content } from './queries.ts';
import { folders, maySend } from './rules.ts';
import type { FolderName } from './rules.ts';

/** A complete file with its final name. */
export interface Arrival {
  sender: Sender;
  /** Id of the `sftp_upload`. */
  id: string;
  path: string;
  folder: FolderName;
  format: 'csv' | 'ndjson';
  content: Content;
}

/**
 * Begins the import of a file in the caller's transaction, with its count and its event; or notes
 * why not. Returns the refusal, for the client. ADR 42.
 */
export async function completeUpload(sql: Sql, arrival: Arrival): Promise<Failure | undefined> {
  const { sender, id, path, folder, format, content } = arrival;
  const { teamId } = sender;
  const refuse = async (failure: Failure) => {
    await failUpload(sql, teamId, id, failure);
    return failure;
  };
  await writeContent(sql, teamId, id, content);
  await writeFormat(sql, teamId, content.uploadId, format);
  const grant = await sender.findGrant(sql);
  if (grant === undefined) return refuse(sender.inactive);
  const operation = findOperation(folders[folder].operationKind);
  if (!operation) return refuse(unknownOperation);
  if (!maySend(grant.purpose, operation.kind)) return refuse(otherPurpose);
  const principal = await principalOf(sql, teamId, grant);
  const missing = missingScopes(operation, principal);
  if (missing.length > 0) return refuse(lacking(missing));
  const begun = await withSavepoint(sql, () =>
    startRun(sql, {
      teamId,
      surface: 'batch',
      operation,
      principal,
      source: 'sftp',
      uploadId: content.uploadId,
      notifyWebhook: true,
      ...sender.reference,
    }),
  );
  if (!begun.done) {
    if (!(begun.error instanceof HttpError)) throw begun.error;
    const [{ code, detail }] = begun.error.problems;
    return refuse({ code, detail });
  }
  await writeReceived(sql, teamId, id, path);
  await writeImport(sql, teamId, id, begun.value.id);
  await sender.countFile(sql);
  const data = await requireSftpUpload(sql, teamId, id);
  recordEvent(sql, { teamId, type: sftpFileUploaded, data, sequence: 1 });
  return undefined;
}

const lacking = (scopes: readonly string[]) => ({
  code: 'scope_missing',
  detail:
    `The client that made or last changed the sender of the file lacks ${scopes.join(', ')}. ` +
    'Let a client with these scopes set the purpose.',
});
const otherPurpose = {
  code: 'path_not_allowed',
  detail: 'The purpose of the SFTP credentials does not cover the folder.',
};
const unknownOperation = {
  code: 'operation_unknown',
  detail: 'Files of this folder are not imported yet.',
};
