// Runs the servers of one owner (`npm start`, a test run) as its own children and outlives the
// owner only until they are stopped. Any end of the owner, including kill -9, closes the channel
// between the two. Servers get sessions of their own, so that Ctrl-C in the terminal
// reaches only the owner, which stops them in order. Their output goes to a log file.
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const maxLogBytes = 10_000_000;
/** @type {Map<number, { child: import('node:child_process').ChildProcess, stop(): Promise<void> }>} */
const servers = new Map();
let ending = false;

function report(message) {
  if (process.connected) process.send(message, () => undefined);
}

/** Lines in flight to the owner; further lines are only written to the log file. */
const maxUnsentLines = 1_000;
let unsentLines = 0;

function sendLine(message) {
  if (!process.connected || unsentLines >= maxUnsentLines) return;
  unsentLines += 1;
  process.send(message, () => {
    unsentLines -= 1;
  });
}

function openLog(path) {
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;
  return {
    write(line) {
      try {
        if (bytes > maxLogBytes) {
          closeSync(file);
          renameSync(path, `${path}.1`);
          file = openSync(path, 'a', 0o600);
          bytes = 0;
        }
        bytes += writeSync(file, `${line}\n`);
      } catch {
        // A full disk must not take the servers down through their keeper.
      }
    },
    close() {
      closeSync(file);
    },
  };
}

function start({ id, command, args, cwd, env, uid, gid, logFile, stopSignal, graceMs }) {
  let log;
  let child;
  try {
    log = openLog(logFile);
    const stdio = ['ignore', 'pipe', 'pipe'];
    child = spawn(command, args, { cwd, env, uid, gid, detached: true, stdio });
  } catch (error) {
    log?.close();
    report({ type: 'failed', id, reason: String(error) });
    return;
  }
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid !== undefined) return;
      servers.delete(id);
      report({ type: 'failed', id, reason: error.message });
      resolve();
    });
    child.once('close', (code, signal) => {
      servers.delete(id);
      log.close();
      report({ type: 'exited', id, reason: signal ? `signal ${signal}` : `code ${String(code)}` });
      resolve();
    });
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(line);
      sendLine({ type: 'line', id, line });
    });
  }
  const stop = async () => {
    child.kill(stopSignal);
    const deadline = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(deadline);
  };
  servers.set(id, { child, stop });
  if (child.pid !== undefined) report({ type: 'started', id, pid: child.pid });
}

/** Last started, first stopped. */
async function endAll() {
  if (ending) return;
  ending = true;
  for (const server of [...servers.values()].reverse()) await server.stop();
  process.exit(0);
}

process.on('message', (message) => {
  if (message.type === 'start' && !ending) start(message);
  if (message.type === 'stop') void servers.get(message.id)?.stop();
});
process.on('disconnect', () => void endAll());
process.on('SIGTERM', () => void endAll());
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
