import type { Command } from 'commander';
import { Onward, version } from '../../typescript/src/index.ts';
import { findCredentials } from './credentials.ts';
import type { CredentialOptions, Credentials } from './credentials.ts';
import { createOutput } from './output.ts';
import type { Output } from './output.ts';

/** The world of the command line: where it writes, and what ends it. */
export interface Terminal {
  /** A line of the result. */
  write(line: string): void;
  /** Part of a file; resolves when there is room for more. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** A line about the work, which is no result. */
  note(line: string): void;
  signal: AbortSignal;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether somebody watches the progress. */
  isInteractive: boolean;
  /** Columns of the terminal that shows results; undefined where they go to a file or a program. */
  columns: number | undefined;
}

export interface GlobalOptions extends CredentialOptions {
  json?: boolean;
}

/** Client, credentials and output of a command. */
export interface Session {
  onward: Onward;
  credentials: Credentials;
  output: Output;
}

export function outputOf(terminal: Terminal, command: Command): Output {
  const { json = false } = command.optsWithGlobals<GlobalOptions>();
  return createOutput(
    () => json,
    (line) => terminal.write(line),
    terminal,
  );
}

export function openSession(terminal: Terminal, command: Command): Session {
  const options = command.optsWithGlobals<GlobalOptions>();
  const credentials = findCredentials(options, terminal.environment);
  return {
    onward: connect(credentials),
    credentials,
    output: outputOf(terminal, command),
  };
}

export function connect({ url, clientId, clientSecret, allowHttp }: Credentials): Onward {
  const agent: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('user-agent', `onward-cli/${version}`);
    return fetch(input, { ...init, headers });
  };
  const client = { baseUrl: url, clientId, clientSecret, ...(allowHttp && { allowHttp }) };
  return new Onward({ ...client, fetch: agent, maxRetries: 2 });
}
