import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { say } from './progress.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds the documentation behind the service where it is missing or older than its pages. */
export function buildDocumentation(): { stop(): void } {
  const child = spawn(process.execPath, ['src/local/run.mjs', 'site/main.ts', '--if-stale'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()));
  }
  child.once('spawn', () => setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW));
  child.once('error', fail);
  child.once('close', (code) => {
    if (code !== 0) fail(new Error(output));
    else if (output !== '') say(output.trim());
  });

  function fail({ message }: Error): void {
    const [line = ''] = message.trim().split('\n');
    if (!isStopped) say(`${line.replace(/:$/, '')}; \`npm run site\` shows why`);
  }

  return {
    stop() {
      isStopped = true;
      child.kill();
    },
  };
}
