import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { failures } from '../src/operations/sftp/fetching/failure.ts';
import { fetchDueFile, giveUpFetch } from '../src/operations/sftp/fetching/fetch.ts';
import type { FetchOutlook } from '../src/operations/sftp/fetching/fetch.ts';
import { endTest, testSource } from '../src/operations/sftp/fetching/test-source.ts';
import { fetchLimits } from '../src/operations/sftp/fetching/rules.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
import { failAfterAttempts } from '../src/platform/temporal/retry-limit.ts';

export type { FetchOutlook } from '../src/operations/sftp/fetching/fetch.ts';

export interface FetchDependencies {
  database: Database;
  keyring: Keyring;
  egress: Egress;
  log: Log;
  fetchScheduleMs: readonly number[];
  /** Aborted when the worker is to end: the attempt ends, and another worker begins again. */
  stopping: AbortSignal;
}

export function createFetchActivities(dependencies: FetchDependencies) {
  const { database, log, fetchScheduleMs: scheduleMs } = dependencies;
  const fetching = { ...dependencies, limits: fetchLimits, scheduleMs };
  return {
    /** Fetches a file that is due, and begins its import. */
    async fetchFileOnce(asked: {
      teamId: string;
      uploadId: string;
      asOfMs: number;
    }): Promise<FetchOutlook> {
      const { teamId, uploadId } = asked;
      return failAfterAttempts(
        () => withHeartbeat(() => fetchDueFile(fetching, asked)),
        async (error) => {
          const about = { err: error, team_id: teamId, sftp_upload_id: uploadId };
          log.error(about, 'a fetch of a file is given up');
          await giveUpFetch(database, teamId, uploadId);
          return { attempts: 0, lastError: 'internal_error' };
        },
      );
    },

    /** Makes the test of a source that was requested; returns the outcome. */
    async testFileSourceOnce(asked: { teamId: string; sourceId: string }): Promise<string> {
      return failAfterAttempts(
        () => withHeartbeat(() => testSource(fetching, asked)),
        async (error) => {
          const about = { err: error, team_id: asked.teamId, file_source_id: asked.sourceId };
          log.error(about, 'a test of a file source is given up');
          return endTest(database, asked, failures.giveUp().failure);
        },
      );
    },
  };
}
