import type { Keyring } from '../src/platform/auth/keyring.ts';
import type { Database } from '../src/platform/database/client.ts';
import type { Egress } from '../src/platform/egress/client.ts';
import type { Log } from '../src/platform/observability/log.ts';
import { withHeartbeat } from '../src/platform/temporal/heartbeat.ts';
import { failAfterAttempts } from '../src/platform/temporal/retry-limit.ts';
import { giveUpTest } from '../src/messaging/sending-providers/testing/queries.ts';
import { testProvider } from '../src/messaging/sending-providers/testing/test-provider.ts';

export function createProviderTestActivities(dependencies: {
  database: Database;
  keyring: Keyring;
  egress: Egress;
  log: Log;
}) {
  const { database, log } = dependencies;
  return {
    /** Makes the requested test of a provider; returns the outcome. */
    async testSendingProviderOnce({
      teamId,
      providerId,
    }: {
      teamId: string;
      providerId: string;
    }): Promise<string> {
      return failAfterAttempts(
        () => withHeartbeat(() => testProvider(dependencies, teamId, providerId)),
        async (error) => {
          const about = { err: error, team_id: teamId, sending_provider_id: providerId };
          log.error(about, 'a test of a sending provider is given up');
          await database.transact((sql) => giveUpTest(sql, teamId, providerId));
          return 'internal_error';
        },
      );
    },
  };
}
