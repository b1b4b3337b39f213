import type { Command } from 'commander';
import { endpoints } from '../../app/endpoints.ts';
import { knownScopes } from '../../team/oauth2/endpoints.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';

export function addScopeCommands(program: Command, output: Output): void {
  program
    .command('scopes')
    .description('scopes that clients may hold')
    .command('list')
    .description('list every scope and how many operations ask for it')
    .action(() => {
      const rows = knownScopes(endpoints).map((scope) => ({
        scope,
        operations: endpoints.filter((endpoint) => endpoint.scope === scope).map(({ id }) => id),
      }));
      output.rows(rows, ['scope', 'operations']);
    });
}
