import { runCommand } from './command.ts';
import { createTrigger } from './trigger/program.ts';

// `npm run trigger -- contact.created`: an event for a receiver that is being written.
runCommand(async () => {
  await createTrigger().parseAsync();
});
