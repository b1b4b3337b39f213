import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestCredential } from './a-client.ts';

export interface Outcome {
  code: number;
  output: string;
}

/** OpenSSH's own client, with a directory of its own for keys and files. */
export interface OpenSsh {
  directory: string;
  /** Runs a batch of commands; ends with the first that fails. */
  sftp(credential: TestCredential, port: number, commands: readonly string[]): Promise<Outcome>;
  /**
   * Runs a sample of a shell in the directory, with the file `onward` of the key; lines that begin
   * with `sftp>` are typed into the client.
   */
  paste(credential: TestCredential, port: number, sample: string): Promise<Outcome>;
  /** Believes the server if its key has one of the fingerprints, as a careful person does. */
  trust(port: number, fingerprints: readonly string[]): Promise<boolean>;
  remove(): Promise<void>;
}

/** Undefined where the programs are not installed. */
export async function findOpenSsh(): Promise<OpenSsh | undefined> {
  const there = await Promise.all(
    ['sftp', 'ssh-keyscan', 'ssh-keygen'].map((program) => run('which', [program])),
  );
  if (there.some(({ code }) => code !== 0)) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'onward-sftp-'));
  const knownHosts = join(directory, 'known_hosts');
  const options = [
    `UserKnownHostsFile=${knownHosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'StrictHostKeyChecking=yes',
    'IdentitiesOnly=yes',
  ].flatMap((option) => ['-o', option]);
  return {
    directory,
    async paste({ username, private_key }, port, sample) {
      await writeFile(join(directory, 'onward'), private_key, { mode: 0o600 });
      const story = sample
        .replaceAll(/\n((?:sftp> .*\n)+)/g, (_, typed: string) =>
          [" <<'END'", `${typed.replaceAll(/^sftp> /gm, '')}END`, ''].join('\n'),
        )
        .replaceAll(/do-[a-z0-9]{8}(?=@)/g, username);
      // Without the settings of this user, and with shorter pauses.
      const shell = [
        `cd ${directory}; HOST=127.0.0.1 PORT=${String(port)}`,
        `sftp() { command sftp -F /dev/null ${options.join(' ')} "$@"; }`,
        `scp() { command scp -F /dev/null ${options.join(' ')} "$@"; }`,
        `ssh() { command ssh -F /dev/null ${options.join(' ')} "$@"; }`,
        'sleep() { command sleep 0.2; }',
      ];
      return run('bash', ['-euc', [...shell, story].join('\n')]);
    },
    async sftp({ username, private_key }, port, commands) {
      const key = join(directory, username);
      const batch = join(directory, `${username}.batch`);
      await writeFile(key, private_key, { mode: 0o600 });
      await writeFile(batch, `${commands.join('\n')}\n`);
      const where = ['-i', key, '-P', String(port), ...options, `${username}@127.0.0.1`];
      return run('sftp', ['-F', '/dev/null', '-b', batch, ...where]);
    },
    async trust(port, fingerprints) {
      const scan = await run('ssh-keyscan', ['-t', 'ed25519', '-p', String(port), '127.0.0.1']);
      const line = scan.output.split('\n').find((one) => one.includes(' ssh-ed25519 ')) ?? '';
      await writeFile(knownHosts, `${line}\n`);
      const shown = await run('ssh-keygen', ['-l', '-f', knownHosts]);
      return fingerprints.some((fingerprint) => shown.output.includes(` ${fingerprint} `));
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

function run(program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, output: stdout + stderr });
    });
  });
}
