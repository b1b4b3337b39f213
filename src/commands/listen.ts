import { runCommand } from './command.ts';
import { createListen } from './listen/program.ts';

// `npm run listen -- --forward http://localhost:4000/hook`: the team's events on this machine.
runCommand(async () => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopping.abort());
  }
  await createListen(stopping.signal).parseAsync();
});
