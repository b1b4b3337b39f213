import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { LocalFailure } from './local-failure.ts';
import { findProcess } from './processes.ts';

/**
 * Returns `wanted` if it is free on 127.0.0.1. Otherwise throws LocalFailure with the purpose of
 * the port, the process that uses it, if known, and the setting that changes it.
 */
export async function choosePort(name: string, wanted: number, setting: string): Promise<number> {
  if (await isPortFree(wanted)) return wanted;
  const pid = findPortHolder(wanted);
  const holder = pid === undefined ? undefined : findProcess(pid);
  const who = holder
    ? `is held by process ${String(holder.pid)} (${holder.command.slice(0, 80)})`
    : 'is held by another program';
  throw new LocalFailure(
    `Port ${String(wanted)}, wanted for ${name}, ${who}. End that program, or choose another port with ${setting}.`,
  );
}

/** A listener on the wildcard address counts too, which a bind alone does not see everywhere. */
export async function isPortFree(port: number): Promise<boolean> {
  if (await acceptsConnections(port)) return false;
  return (await listenOnce(port)) !== undefined;
}

const nextTries = 100;

/** `wanted`, or the first free port after it. */
export async function nextFreePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + nextTries; port += 1) {
    if (await isPortFree(port)) return port;
  }
  throw new LocalFailure(
    `No port from ${String(wanted)} to ${String(wanted + nextTries - 1)} is free on 127.0.0.1.`,
  );
}

/** A port that nothing listens on now, chosen by the system. */
export async function findFreePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new LocalFailure('No free port on 127.0.0.1.');
  return port;
}

/** The port noted in `file` if it is free, else `preferred`, else any; notes which. */
export async function rememberPort(file: string, preferred?: number): Promise<number> {
  const noted = Number(await readFile(file, 'utf8').catch(() => ''));
  if (noted > 0 && (await isPortFree(noted))) return noted;
  const usual = preferred !== undefined && (await isPortFree(preferred)) ? preferred : undefined;
  const port = usual ?? (await findFreePort());
  await writeFile(file, `${String(port)}\n`);
  return port;
}

const portTries = 3;

/**
 * Runs `start`, which looks for a free port and listens on it. Between the two another program can
 * take the port: then it runs again.
 */
export async function onFreePort<Running>(start: () => Promise<Running>): Promise<Running> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('address already in use');
      if (!isTaken || tries === portTries) throw error;
    }
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
    const settle = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => {
      settle(true);
    });
    socket.once('timeout', () => {
      settle(true);
    });
    socket.once('error', () => {
      settle(false);
    });
  });
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' ? address?.port : undefined);
      });
    });
  });
}

function findPortHolder(port: number): number | undefined {
  try {
    return process.platform === 'linux' ? findInProc(port) : findByLsof(port);
  } catch {
    return undefined;
  }
}

function findInProc(port: number): number | undefined {
  const listening = '0A';
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readFileSync(table, 'latin1')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(suffix) && fields[3] === listening)
      .map((fields) => `socket:[${fields[9] ?? ''}]`),
  );
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const holder = pids.find((pid) => listOpenFiles(pid).some((file) => sockets.includes(file)));
  return holder === undefined ? undefined : Number(holder);
}

function listOpenFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readLink(`/proc/${pid}/fd/${name}`));
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function findByLsof(port: number): number | undefined {
  const output = execFileSync('lsof', ['-nP', `-iTCP:${String(port)}`, '-sTCP:LISTEN', '-t'], {
    encoding: 'utf8',
  });
  const [first] = output.trim().split('\n');
  return first ? Number(first) : undefined;
}
