import { Command } from 'commander';
import { createOutput } from '../../../sdk/cli/src/output.ts';
import { print } from '../command.ts';
import { addAuditCommands } from './audit.ts';
import { addClientCommands } from './clients.ts';
import { addFindCommand } from './find.ts';
import { addJourneyCommands } from './journeys.ts';
import { addKeyCommands } from './keys.ts';
import { addPortalCommand } from './portal.ts';
import { addProviderCommands } from './providers.ts';
import { addRequestCommands } from './requests.ts';
import { addScopeCommands } from './scopes.ts';
import { addTeamCommands } from './teams.ts';
import { addUserCommands } from './users.ts';
import { addWorkflowCommands } from './workflows.ts';

/** `npm run admin -- <what> <command>`; results go to `write`, line by line. */
export function createAdmin(write: (line: string) => void = print): Command {
  const program = new Command('npm run admin --')
    .description(
      'Operates the service that `npm start` runs here, or the one of DATABASE_URL and ONWARD_KEYS_FILE.',
    )
    .option('--json', 'answer in JSON')
    .showHelpAfterError('(--help shows what there is)')
    .showSuggestionAfterError();
  const isJson = () => program.opts<{ json?: boolean }>().json ?? false;
  const output = createOutput(isJson, write);
  addFindCommand(program, output);
  addTeamCommands(program, output);
  addUserCommands(program, output);
  addClientCommands(program, output);
  addProviderCommands(program, output);
  addScopeCommands(program, output);
  addKeyCommands(program, output);
  addAuditCommands(program, output);
  addRequestCommands(program, output);
  addPortalCommand(program, output);
  addJourneyCommands(program, output);
  addWorkflowCommands(program, output);
  return program;
}
