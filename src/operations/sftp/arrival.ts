import type { Sql } from '../../platform/database/sql.ts';
import { readBytes } from '../uploads/queries.ts';
import type { Credential } from './access/queries.ts';
import { credentialSender } from './access/sender.ts';
import { completeUpload } from './complete-upload.ts';
import { digestPathOf, readDigest } from './file-names.ts';
import type { FileName } from './file-names.ts';
import {
  isImported,
  listReplaced,
  lockWaiting,
  writeContent,
  writeUsed,
  writeWarning,
} from './queries.ts';
import type { Content } from './queries.ts';
import type { FolderName } from './rules.ts';
import { failUpload } from './upload-status.ts';
import type { Failure } from './upload-status.ts';

/** A whole file at its path, after its upload or its rename. */
export interface Arrived {
  /** Id of the `sftp_upload`. */
  id: string;
  path: string;
  folder: FolderName;
  file: Exclude<FileName, { kind: 'refused' }>;
  content: Content;
}

/**
 * Accepts a whole file in the caller's transaction: its import begins, or it waits for its rename, or
 * it is the digest of another. Returns the refusal, for the client.
 */
export async function acceptFile(
  sql: Sql,
  credential: Credential,
  arrived: Arrived,
): Promise<Failure | undefined> {
  const { id, path, folder, file, content } = arrived;
  const teamId = credential.team_id;
  for (const older of await listReplaced(sql, credential, path, id)) {
    await failUpload(sql, teamId, older, replaced);
  }
  switch (file.kind) {
    case 'temporary':
      await writeContent(sql, teamId, id, content);
      return undefined;
    case 'digest':
      return acceptDigest(sql, credential, arrived);
    case 'final': {
      const { format } = file;
      const digest = await findDigest(sql, credential, digestPathOf(path));
      if (digest && digest.sha256 !== content.sha256) {
        // The content is named, so that it is deleted with the failure.
        await writeContent(sql, teamId, id, content);
        await failUpload(sql, teamId, id, mismatch);
        return mismatch;
      }
      const sender = credentialSender(credential);
      const refusal = await completeUpload(sql, { sender, id, path, folder, format, content });
      if (refusal) return refusal;
      if (digest) await writeUsed(sql, teamId, digest.id);
      else if (!(await endsLine(sql, teamId, content))) {
        await writeWarning(sql, teamId, id, noLineEnd);
      }
      return undefined;
    }
  }
}

/** A digest waits for its file, unless that file has come already. */
async function acceptDigest(
  sql: Sql,
  credential: Credential,
  { id, path, content }: Arrived,
): Promise<Failure | undefined> {
  const teamId = credential.team_id;
  await writeContent(sql, teamId, id, content);
  const sha256 = await digestIn(sql, teamId, content.uploadId, content.sizeBytes);
  if (sha256 === undefined) {
    await failUpload(sql, teamId, id, malformed);
    return malformed;
  }
  const of = path.slice(0, -digestPathOf('').length);
  if (await isImported(sql, credential, of, sha256)) await writeUsed(sql, teamId, id);
  return undefined;
}

async function findDigest(sql: Sql, credential: Credential, path: string) {
  const waiting = await lockWaiting(sql, credential, path);
  if (!waiting?.upload_id) return undefined;
  const { id, upload_id, size_bytes } = waiting;
  const sha256 = await digestIn(sql, credential.team_id, upload_id, size_bytes);
  return { id, sha256 };
}

async function digestIn(sql: Sql, teamId: string, uploadId: string, sizeBytes: number) {
  if (sizeBytes > maxDigestFileBytes) return undefined;
  const bytes = await readBytes(sql, { teamId, id: uploadId }, 0, maxDigestFileBytes);
  return readDigest(bytes.toString('utf8'));
}

async function endsLine(sql: Sql, teamId: string, { uploadId, sizeBytes }: Content) {
  if (sizeBytes === 0) return true;
  const bytes = await readBytes(sql, { teamId, id: uploadId }, sizeBytes - 1, 1);
  return ['\n', '\r'].includes(bytes.toString('latin1'));
}

/** A line of `sha256sum`, with the longest name. */
const maxDigestFileBytes = 2_000;
const replaced = {
  code: 'replaced',
  detail: 'Another file with this name replaced it before it was used.',
};
const malformed = {
  code: 'digest_malformed',
  detail: 'A .sha256 file holds one SHA-256 in hexadecimal, as sha256sum writes it.',
};
const mismatch = {
  code: 'digest_mismatch',
  detail: 'The file does not match its .sha256 file. Upload it again.',
};
const noLineEnd = {
  code: 'no_line_end',
  detail: 'The last record has no line end. Compare the size: the upload may have been cut off.',
};
