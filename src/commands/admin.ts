import { Command } from 'commander';
import { addClientCommands } from './admin/clients.ts';
import { addKeyCommands } from './admin/keys.ts';
import { addScopeCommands } from './admin/scopes.ts';
import { addTeamCommands } from './admin/teams.ts';
import { runCommand } from './command.ts';

// `npm run admin -- <what> <command>`: what operators do; partners have no endpoint for it.
runCommand(async () => {
  const program = new Command('npm run admin --')
    .description(
      'Operates the service that `npm start` runs here, or the one of DATABASE_URL and ONWARD_KEYS_FILE.',
    )
    .option('--json', 'answer in JSON')
    .showHelpAfterError('(--help shows what there is)')
    .showSuggestionAfterError();
  const isJson = () => program.opts<{ json?: boolean }>().json ?? false;
  addTeamCommands(program, isJson);
  addClientCommands(program, isJson);
  addScopeCommands(program, isJson);
  addKeyCommands(program, isJson);
  await program.parseAsync();
});
