import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '../app/endpoints.ts';
import { createOutput } from '../../sdk/cli/src/output.ts';
import { print, runCommand } from './command.ts';

const source = fileURLToPath(new URL('..', import.meta.url));

// `npm run routes [-- landing] [--json]`: the endpoints whose line contains every given word.
runCommand(() => {
  const words = process.argv.slice(2);
  const json = words.includes('--json');
  const requested = words.filter((word) => word !== '--json').map((word) => word.toLowerCase());
  const places = findDeclarations();
  const rows = endpoints
    .map(({ id, method, path, scope, rateClass }) => ({
      operation: id,
      method,
      path,
      scope,
      rate_class: rateClass,
      file: places.get(id) ?? '',
    }))
    .filter((row) => {
      const line = Object.values(row).join(' ').toLowerCase();
      return requested.every((word) => line.includes(word));
    });
  createOutput(() => json, print).rows(rows, [
    'operation',
    'method',
    'path',
    'scope',
    'rate_class',
    'file',
  ]);
  return Promise.resolve();
});

/** Operation id → file:line of `id: '…'`; a declared value does not know where it stands. */
function findDeclarations(): Map<string, string> {
  const places = new Map<string, string>();
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const lines = readFileSync(join(source, name), 'utf8').split('\n');
    lines.forEach((line, at) => {
      const id = /^ *id: '(\w+)',$/.exec(line)?.[1];
      if (id !== undefined) places.set(id, `src/${name}:${String(at + 1)}`);
    });
  }
  return places;
}
