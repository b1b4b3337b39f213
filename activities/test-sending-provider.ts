import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import { untouchedFor } from '../src/platform/jobs/job.ts';
import type { Job } from '../src/platform/jobs/job.ts';
import {
  giveUpTest,
  listOverdueProviderTests,
} from '../src/messaging/sending-providers/testing/queries.ts';
import { testProvider } from '../src/messaging/sending-providers/testing/test-provider.ts';
import { sendingProviderTestJob } from '../workflows/jobs.ts';
import { afterTest } from './login-test.ts';

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
