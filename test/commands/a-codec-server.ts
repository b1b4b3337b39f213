import { createCodecServer } from '../../src/commands/codec-server/program.ts';
import { untilTrue } from '../support/eventually.ts';

export interface CodecServer {
  url: string;
  /** The lines of its log. */
  lines: readonly string[];
  close(): Promise<void>;
}

/** Runs the command with the keys of the environment, on any free port. */
export async function startCodecServer(...args: string[]): Promise<CodecServer> {
  const stopping = new AbortController();
  const lines: string[] = [];
  const running = createCodecServer(stopping.signal, (line) => lines.push(line))
    .exitOverride()
    .parseAsync(['--port', '0', ...args], { from: 'user' });
  const urlOf = () => /at (http:\S+) until/.exec(lines.join('\n'))?.[1];
  await Promise.race([running, untilTrue(() => Promise.resolve(urlOf() !== undefined))]);
  return {
    url: urlOf() ?? '',
    lines,
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Calls it as the Temporal UI and CLI do. */
export async function callCodec(
  url: string,
  payloads: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Namespace': 'default', ...headers },
    body: typeof payloads === 'string' ? payloads : JSON.stringify({ payloads }),
  });
  const body: any = await response.json();
  return { status: response.status, headers: response.headers, body };
}
