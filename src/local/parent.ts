import { findProcess } from './processes.ts';

const checkEveryMs = 500;
const maxChainLength = 6;

/**
 * Calls back once, with the reason, after the launcher of this process has ended in any way. The
 * launcher is the terminal (SIGHUP), or a package manager such as `npm start` and its shell. A
 * process without one, started by a service manager for instance, may outlive its parent. Returns a
 * function that ends the watch.
 */
export function onParentGone(callback: (reason: string) => void): () => void {
  const launchers = findLaunchers();
  let done = false;
  const finish = (reason: string) => {
    if (done) return;
    stop();
    callback(reason);
  };
  const onHangup = () => {
    finish('the terminal is gone');
  };
  const timer = setInterval(() => {
    const gone = launchers.find(({ pid, startedAt }) => findProcess(pid)?.startedAt !== startedAt);
    if (gone) finish(`its parent is gone (${gone.command.slice(0, 60)})`);
  }, checkEveryMs);
  timer.unref();
  process.on('SIGHUP', onHangup);

  function stop() {
    done = true;
    clearInterval(timer);
    process.off('SIGHUP', onHangup);
  }
  return stop;
}

/** From the parent up to the nearest package manager; nothing when there is none. */
function findLaunchers() {
  const chain = [];
  let pid = process.ppid;
  while (pid > 1 && chain.length < maxChainLength) {
    const ancestor = findProcess(pid);
    if (!ancestor) break;
    chain.push(ancestor);
    if (isPackageManager(ancestor.command)) return chain;
    if (!isPassingOn(ancestor.command)) break;
    pid = ancestor.parent;
  }
  return [];
}

function isPackageManager(command: string): boolean {
  return /^(\S*\/)?(npm|npx|pnpm|yarn|bun|corepack)\b/.test(firstWords(command));
}

/** A shell that runs one command, or a loader such as `tsx watch`. */
function isPassingOn(command: string): boolean {
  return /^(\S*\/)?((ba|da|z|k)?sh (-\w+ )*-c|node|tsx|env|timeout)\b/.test(firstWords(command));
}

/** `node /path/to/npm-cli.js start` counts as `npm-cli.js start`. */
function firstWords(command: string): string {
  return command.replace(/^\S*node (?=\S*(npm|pnpm|yarn|npx)\S*\.c?js)/, '');
}
