import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** A process of the bench that answers questions over its channel. */
export interface Child {
  process: ChildProcess;
  ask(question: object): Promise<any>;
  stop(): void;
}

/** Starts an entry of test/bench as a process of its own. */
export function startChild(entry: string, env: Readonly<Record<string, string>> = {}): Child {
  const child = fork('src/local/run.mjs', [entry], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    serialization: 'advanced',
  });
  const waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void }[] = [];
  child.on('message', (answer) => waiting.shift()?.resolve(answer));
  child.on('exit', (code) => {
    for (const { reject } of waiting) reject(new Error(`${entry} ended (${String(code)})`));
  });
  return {
    process: child,
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.send(question);
      }),
    stop: () => void child.kill('SIGKILL'),
  };
}

/** The other side: answers one question after the other. */
export function answerQuestions(answer: (question: any) => Promise<unknown>): void {
  let last = Promise.resolve();
  process.on('message', (question) => {
    last = last.then(async () => {
      process.send?.(await answer(question));
    });
  });
}
