import { describe, exitCodeOf } from '../../../sdk/cli/src/failures.ts';
import { createProgram } from '../../../sdk/cli/src/program.ts';
import type { Terminal } from '../../../sdk/cli/src/session.ts';

export interface CliOutcome {
  code: number;
  lines: string[];
  /** Lines that are no result. */
  notes: string[];
  error: string;
}

/** Runs the command line in this process, as `main.ts` does in one of its own. */
export async function runCli(
  args: readonly string[],
  terminal: Partial<Terminal> = {},
): Promise<CliOutcome> {
  const lines: string[] = [];
  const notes: string[] = [];
  const program = createProgram(
    {
      write: (line) => lines.push(line),
      writeBytes: async (bytes) => void lines.push(new TextDecoder().decode(bytes)),
      note: (line) => notes.push(line),
      signal: new AbortController().signal,
      environment: {},
      isInteractive: false,
      columns: undefined,
      ...terminal,
    },
    args,
  );
  try {
    await program.parseAsync(args, { from: 'user' });
    return { code: 0, lines, notes, error: '' };
  } catch (error) {
    const isJson = args.includes('--json');
    return { code: exitCodeOf(error), lines, notes, error: describe(error, isJson) };
  }
}
