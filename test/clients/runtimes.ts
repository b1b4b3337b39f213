import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPackage } from '../../sdk/generate/build.ts';
import { home, install, makeOf, run } from './client.ts';
import type { Client } from './client.ts';

const packages = ['deno@2.9.6', 'bun@1.4.5'];

/** The TypeScript SDK, as it would be installed, on the runtimes that are not Node.js. */
export const runtimes: Client = {
  name: 'typescript-sdk',
  make() {
    const directory = join(home, 'runtimes');
    install(directory, packages, () => {
      writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}');
      run('npm', ['install', '--silent', '--save-exact', ...packages], { cwd: directory });
      // npm runs no install scripts here; this one links the program of the platform.
      run(process.execPath, ['install.js'], { cwd: join(directory, 'node_modules', 'bun') });
    });
    makeOf(directory, ['sdk/typescript', 'sdk/generate', 'test/clients/runtimes'], () => {
      const installed = join(directory, 'node_modules', '@onward', 'sdk');
      mkdirSync(installed, { recursive: true });
      cpSync(buildPackage('typescript', join(directory, 'packages')), installed, {
        recursive: true,
      });
      cpSync(resolve('test/clients/runtimes/story.mjs'), join(directory, 'story.mjs'));
    });
    const bin = join(directory, 'node_modules', '.bin');
    const programs = [
      [join(bin, 'deno'), 'run', '--allow-net', '--no-prompt'],
      [join(bin, 'bun'), 'run'],
    ];
    return ({ baseUrl, clientId, clientSecret }) => {
      for (const [program = '', ...args] of programs) {
        run(program, [...args, 'story.mjs', baseUrl, clientId, clientSecret], { cwd: directory });
      }
    };
  },
};
