import type { Command } from 'commander';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { endpoints } from '../../app/endpoints.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { readConfig } from '../../platform/config.ts';
import { knownScopes } from '../../team/oauth2/endpoints.ts';
import { makePortalSession } from '../../team/portal-sessions/make.ts';
import { operatorClient } from '../../team/portal-sessions/queries.ts';
import { readScopes } from '../../team/portal-sessions/rules.ts';
import { listTeams } from '../../team/queries.ts';
import { parseId } from './arguments.ts';
import { withDatabase } from './connection.ts';
import { recordCommand } from './record-command.ts';

const seconds = 1_800;

export function addPortalCommand(program: Command, output: Output): void {
  program
    .command('portal')
    .description('make a link that shows the pages of a team once, read-only, for 30 minutes')
    .argument('<team-id>', 'id of the team', parseId)
    .option('--base-url <url>', 'where the service is reached; PUBLIC_BASE_URL unless given')
    .action(async (teamId: string, { baseUrl }: { baseUrl?: string }) => {
      const { publicBaseUrl } = readConfig({ development: true });
      const made = await withDatabase((database) =>
        database.transact(async (sql) => {
          const teams = await listTeams(sql);
          if (!teams.some(({ id }) => id === teamId)) return undefined;
          const session = await makePortalSession(sql, baseUrl ?? publicBaseUrl, {
            teamId,
            clientId: await operatorClient(sql, teamId),
            label: 'Operator',
            page: 'requests',
            scopes: readScopes(knownScopes(endpoints)),
            origins: [],
            seconds,
          });
          const ids = { teamId, resourceId: session.id };
          await recordCommand(sql, { ...ids, action: 'portal_session.created' });
          return session;
        }),
      );
      if (!made) throw new LocalFailure(`There is no team ${teamId}; see \`teams list\`.`);
      output.row({ url: made.url, opens_until: made.link_expires_at, ends_at: made.expires_at });
    });
}
