import type { Sql } from '../../../platform/database/sql.ts';
import type { NewRun } from '../../runs/start.ts';
import type { Failure } from '../upload-status.ts';
import { failures } from '../fetching/failure.ts';
import { findSourceGrant, recordFetch } from '../fetching/queries.ts';
import { countUpload, findActiveGrant } from './queries.ts';
import type { Credential, Grant } from './queries.ts';

/** The sender of a file: SFTP credentials, or a file source. */
export interface Sender {
  teamId: string;
  /** The column by which its runs refer to it. */
  reference: Pick<NewRun<'batch'>, 'sftpCredentialId' | 'fileSourceId'>;
  /** Its rights while it is active; undefined otherwise. */
  findGrant(sql: Sql): Promise<Grant | undefined>;
  /** Counts a file of the sender. */
  countFile(sql: Sql): Promise<unknown>;
  /** The failure of its files while it is not active. */
  inactive: Failure;
}

export function credentialSender(credential: Credential): Sender {
  const { team_id: teamId, id } = credential;
  return {
    teamId,
    reference: { sftpCredentialId: id },
    findGrant: (sql) => findActiveGrant(sql, teamId, id),
    countFile: (sql) => countUpload(sql, credential),
    inactive: {
      code: 'credential_inactive',
      detail: 'The SFTP credentials are revoked, expired or suspended.',
    },
  };
}

export function sourceSender(teamId: string, id: string): Sender {
  return {
    teamId,
    reference: { fileSourceId: id },
    findGrant: (sql) => findSourceGrant(sql, teamId, id),
    countFile: (sql) => recordFetch(sql, teamId, id),
    inactive: failures.inactive().failure,
  };
}
