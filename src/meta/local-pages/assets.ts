import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { browserScript } from '../../platform/content/browser-script.ts';
import type { BrowserScript } from '../../platform/content/browser-script.ts';
import type { EndpointFacts } from '../../platform/http/endpoint-facts.ts';
import { operationTables } from './operations.ts';

const part = (name: string) => new URL(`script/${name}.ts`, import.meta.url);
const shared = [
  new URL('../../widget/script/dom.ts', import.meta.url),
  new URL('../../platform/time/rules.ts', import.meta.url),
  ...['values', 'operations', 'session', 'api', 'shown'].map(part),
];
const engine = [
  ...shared,
  ...['problems', 'declared', 'repeating', 'list', 'actions', 'item', 'route', 'page'].map(part),
];
const cutText = new URL('../../platform/cut-text.ts', import.meta.url);
const chart = path.join(
  path.dirname(createRequire(import.meta.url).resolve('chart.js')),
  'chart.umd.min.js',
);

/** Parts of each page, after those that they use. */
const partsOf: Readonly<Record<string, readonly URL[]>> = {
  requests: [...engine, part('requests')],
  webhooks: [...engine, ...['attempts', 'replays', 'webhook-deliveries', 'webhooks'].map(part)],
  batches: [...engine, ...['run-items', 'batches'].map(part)],
  callbacks: [...engine, ...['replays', 'callbacks'].map(part)],
  campaigns: [...engine, ...['timelines', 'journeys', 'campaigns'].map(part)],
  people: [...engine, ...['timelines', 'journeys', 'people'].map(part)],
  insights: [...shared, cutText, ...['units', 'answers', 'drawing', 'insights'].map(part)],
};

/** The scripts of the team's pages, by the paths at which they are. */
export function openPageScripts(endpoints: readonly EndpointFacts[]) {
  const before = operationTables(endpoints);
  const scripts = new Map<string, () => Promise<BrowserScript>>(
    Object.entries(partsOf).map(([name, parts]) => [
      `/${name}/page.js`,
      browserScript(parts, before),
    ]),
  );
  /** Returns a script of a page; undefined for any other path. */
  return async (urlPath: string): Promise<string | undefined> => {
    if (urlPath === '/insights/chart.js') return readFile(chart, 'utf8');
    return (await scripts.get(urlPath)?.())?.text;
  };
}
