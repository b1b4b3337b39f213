import { Command, Option } from 'commander';
import { version } from '../../typescript/src/index.ts';
import { addBatch } from './commands/batch.ts';
import { addCompletion } from './commands/completion.ts';
import { addInbound } from './commands/inbound.ts';
import { addListen } from './commands/listen.ts';
import { addOpen } from './commands/open.ts';
import { addReplay } from './commands/replay.ts';
import { addRequests } from './commands/requests.ts';
import { addResources } from './commands/resources.ts';
import { addLogin, addWhoami } from './commands/sign-in.ts';
import { addTrigger } from './commands/trigger.ts';
import type { Terminal } from './session.ts';

/** `onward` for these words of a command line; throws CommanderError where they are wrong. */
export function createProgram(terminal: Terminal, words: readonly string[]): Command {
  const program = new Command('onward')
    .description('Onward on the command line. The guide is docs/cli.md.')
    .version(version)
    .option('--json', 'write JSON')
    .option('--url <url>', 'the service, such as https://api.example.com (or ONWARD_BASE_URL)')
    .addOption(new Option('--client-id <id>', 'a client of it (or ONWARD_CLIENT_ID)'))
    .addOption(new Option('--client-secret <secret>', 'its secret (or ONWARD_CLIENT_SECRET)'))
    .showHelpAfterError('(--help shows what there is)')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    });
  program.commandsGroup('Start:');
  addLogin(program, terminal);
  addWhoami(program, terminal);
  addOpen(program, terminal);
  addCompletion(program, terminal);
  program.commandsGroup('Develop:');
  addListen(program, terminal);
  addTrigger(program, terminal);
  addInbound(program, terminal);
  addRequests(program, terminal);
  addReplay(program, terminal);
  addBatch(program, terminal);
  program.commandsGroup('Resources:');
  addResources(program, terminal, words);
  return program;
}
