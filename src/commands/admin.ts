import { createAdmin } from './admin/program.ts';
import { runCommand } from './command.ts';

// `npm run admin`: what operators do; partners have no endpoint for it.
runCommand(async () => {
  await createAdmin().parseAsync();
});
