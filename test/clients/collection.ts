import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { home, install, run } from './client.ts';
import type { Client } from './client.ts';

const runner = 'newman@6.2.2';
const file = resolve('docs/collections/onward.postman_collection.json');

interface Execution {
  item: { name: string };
  response?: { code: number; stream: { data: readonly number[] } };
}

/** Mistakes of a request, in its address or in its form. */
const mistakes: ReadonlySet<number> = new Set([400, 405, 406, 411, 413, 415]);

/** The collection of requests, each sent once by the runner of Postman. */
export const collection: Client = {
  name: 'collection',
  make() {
    const directory = join(home, 'collection');
    install(directory, [runner], () => {
      writeFileSync(join(directory, 'package.json'), '{"private":true}');
      run('npm', ['install', '--silent', '--save-exact', runner], { cwd: directory });
    });
    return ({ baseUrl, clientId, clientSecret }) => {
      const program = join(directory, 'node_modules', '.bin', 'newman');
      const report = join(directory, 'report.json');
      const variables = { base_url: baseUrl, client_id: clientId, client_secret: clientSecret };
      run(program, [
        ...['run', file, '--reporters', 'json', '--reporter-json-export', report],
        ...Object.entries(variables).flatMap(([key, value]) => ['--env-var', `${key}=${value}`]),
      ]);
      const { run: sent }: { run: { executions: readonly Execution[] } } = JSON.parse(
        readFileSync(report, 'utf8'),
      );
      const faults = faultsOf(sent.executions);
      if (faults.length > 0) throw new Error(faults.join('\n'));
    };
  },
};

function faultsOf(executions: readonly Execution[]): string[] {
  const faults = executions.flatMap(({ item, response }) => {
    const text = Buffer.from(response?.stream.data ?? []).toString();
    const code = response?.code ?? 0;
    const isUnknown = code === 404 && text.includes('"route_not_found"');
    const isFault = code === 0 || code >= 500 || mistakes.has(code) || isUnknown;
    return isFault ? [`${item.name}: ${String(code)} ${text.slice(0, 300)}`] : [];
  });
  const created = executions.filter(({ response }) => response?.code === 201).length;
  // The stored token and the stored ids were sent: without them, next to nothing is created.
  if (created < 15) faults.push(`Only ${String(created)} requests created something.`);
  const known: { paths: Record<string, object> } = JSON.parse(
    readFileSync('test/contract/openapi.json', 'utf8'),
  );
  const operations = Object.values(known.paths).flatMap((path) => Object.keys(path)).length;
  if (executions.length !== operations) {
    faults.push(`${String(executions.length)} requests for ${String(operations)} operations`);
  }
  return faults;
}
