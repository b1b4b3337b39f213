import { createCodecServer } from './codec-server/program.ts';
import { runCommand } from './command.ts';

// `npm run codec-server`: encrypted payloads in clear text, for the Temporal UI and CLI.
runCommand(async () => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopping.abort());
  }
  await createCodecServer(stopping.signal).parseAsync();
});
