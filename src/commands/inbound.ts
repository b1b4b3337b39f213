import { runCommand } from './command.ts';
import { createInbound } from './inbound/program.ts';

// `npm run inbound -- send email_b --event click --setup`: callbacks as providers would send them.
runCommand(async () => {
  await createInbound().parseAsync();
});
