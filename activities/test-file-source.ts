import { untouchedFor } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import { failures } from '../src/operations/sftp/fetching/failure.ts';
import type { Fetching } from '../src/operations/sftp/fetching/fetch.ts';
import { listOverdueTests } from '../src/operations/sftp/fetching/queries.ts';
import { endTest, testSource } from '../src/operations/sftp/fetching/test-source.ts';
import { fileSourceTestJob } from '../workflows/jobs.ts';
import { afterTest } from './login-test.ts';

export function testFileSource(fetching: Fetching): Job {
  return {
    shape: fileSourceTestJob,
    // Longer than a test takes.
    overdue: [untouchedFor(60, listOverdueTests)],
    async round({ teamId, id }) {
      return afterTest(await testSource(fetching, { teamId, sourceId: id }), 'source');
    },
    async giveUp({ teamId, id }) {
      const { failure } = failures.giveUp();
      const outcome = await endTest(fetching.database, { teamId, sourceId: id }, failure);
      return afterTest(outcome, 'source');
    },
  };
}
