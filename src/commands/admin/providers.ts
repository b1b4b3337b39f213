import type { Command } from 'commander';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { publishProvider } from '../../messaging/sending-providers/publish.ts';
import { sendingProviders } from '../../messaging/sending-providers/queries.ts';
import {
  listProvidersOf,
  releaseProvider,
} from '../../messaging/sending-providers/release/queries.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { parseId } from './arguments.ts';
import { withDatabase } from './connection.ts';
import { recordCommand } from './record-command.ts';

export function addProviderCommands(program: Command, output: Output): void {
  const providers = program
    .command('providers')
    .description('sending providers, through which the messages of a team leave');

  providers
    .command('list')
    .description('list the sending providers of a team')
    .argument('<team-id>', 'id of the team', parseId)
    .action(async (teamId: string) => {
      const rows = await withDatabase((database) =>
        database.read((sql) => listProvidersOf(sql, teamId)),
      );
      output.rows(
        rows.map(({ id, name, channel, kind, url, released_at }) => {
          return { id, name, channel, kind, url, released_at };
        }),
        ['id', 'name', 'channel', 'kind', 'url', 'released_at'],
      );
    });

  providers
    .command('release')
    .description('let messages leave through a provider of a team that requires a release')
    .argument('<team-id>', 'id of the team', parseId)
    .argument('<provider-id>', 'id of the provider', parseId)
    .action(async (teamId: string, id: string) => {
      const row = await withDatabase((database) =>
        database.transact(async (sql) => {
          const before = await sendingProviders.lock(sql, teamId, id);
          if (before.released_at !== null) return before;
          const after = await releaseProvider(sql, before);
          await recordCommand(sql, {
            ...{ teamId, resourceId: id, action: 'sending_provider.released' },
            changedFields: ['released_at'],
          });
          return publishProvider(sql, 'updated', after);
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof HttpError)) throw error;
        throw new LocalFailure(`The team has no sending provider ${id}; see \`providers list\`.`);
      });
      output.row({ id: row.id, name: row.name, url: row.url, released_at: row.released_at });
    });
}
