import { endUnlessSignaled, untouchedFor, waitUntil } from '../src/platform/jobs/job.ts';
import type { Round } from '../src/platform/jobs/shape.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import { failures } from '../src/operations/sftp/fetching/failure.ts';
import type { Fetching } from '../src/operations/sftp/fetching/fetch.ts';
import { listOverdueTests } from '../src/operations/sftp/fetching/queries.ts';
import { endTest, testSource } from '../src/operations/sftp/fetching/test-source.ts';
import { fileSourceTestJob, sendingProviderTestJob } from '../workflows/jobs.ts';
import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import {
  giveUpTest,
  listOverdueProviderTests,
} from '../src/messaging/sending-providers/testing/queries.ts';
import { testProvider } from '../src/messaging/sending-providers/testing/test-provider.ts';

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

interface Tools {
  database: Database;
  keyring: Keyring;
  egress: Egress;
}

export function testSendingProvider(tools: Tools): Job {
  return {
    shape: sendingProviderTestJob,
    // Longer than a test takes.
    overdue: [untouchedFor(60, listOverdueProviderTests)],
    round: async ({ teamId, id }) => afterTest(await testProvider(tools, teamId, id), 'provider'),
    async giveUp({ teamId, id }) {
      await tools.database.transact((sql) => giveUpTest(sql, teamId, id));
      return afterTest('internal_error', 'provider');
    },
  };
}

/** Tests of the same team wait for each other. */
const pauseMs = 5_000;

/** Decides what follows a test of a login: `outcome` is that of the test, or `waiting` for another one. */
export function afterTest(outcome: string, others: string): Round<never> {
  if (outcome === 'waiting') {
    const details = 'The test waits for that of another one of the team.';
    return waitUntil(
      Date.now() + pauseMs,
      `Another ${others} of the team is being tested`,
      details,
    );
  }
  return endUnlessSignaled({ outcome }, describe(outcome));
}

function describe(outcome: string): string {
  if (outcome === 'ended') return 'No test was requested any more.';
  return outcome === 'succeeded' ? 'The test has succeeded.' : `The test has failed: ${outcome}.`;
}
