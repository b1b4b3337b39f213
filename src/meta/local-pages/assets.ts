import { gzipSync } from 'node:zlib';
import { browserScript } from '../../platform/content/browser-script.ts';
import type { BrowserScript } from '../../platform/content/browser-script.ts';
import type { EndpointFacts } from '../../platform/http/endpoint-facts.ts';
import { contentTag } from '../../platform/http/content-tag.ts';
import type { SiteFile } from '../site-files.ts';
import { operationTables } from './operations.ts';

const part = (name: string) => new URL(`script/${name}.ts`, import.meta.url);
const shared = [
  new URL('../../widget/script/dom.ts', import.meta.url),
  new URL('../../platform/time/rules.ts', import.meta.url),
  ...['values', 'operations', 'session', 'api', 'shown', 'question'].map(part),
];
const engine = [
  ...shared,
  ...[
    'problems',
    'declared',
    'repeating',
    'filters',
    'list',
    'actions',
    'item',
    'route',
    'page',
  ].map(part),
];
const sendStatuses = new URL('../../messaging/message-deliveries/rules.ts', import.meta.url);
const cutText = new URL('../../platform/cut-text.ts', import.meta.url);

/** Parts of each page, after those that they use. */
const partsOf: Readonly<Record<string, readonly URL[]>> = {
  requests: [...engine, part('requests')],
  webhooks: [...engine, ...['attempts', 'replays', 'webhook-deliveries', 'webhooks'].map(part)],
  batches: [...engine, ...['run-items', 'batches'].map(part)],
  callbacks: [...engine, ...['replays', 'callbacks'].map(part)],
  campaigns: [...engine, ...['timelines', 'journeys', 'campaigns'].map(part)],
  people: [...engine, sendStatuses, ...['timelines', 'journeys', 'people'].map(part)],
  insights: [
    ...shared,
    part('problems'),
    cutText,
    ...[
      'timelines',
      'units',
      'buckets',
      'answers',
      'charts',
      'periods',
      'overview',
      'steps',
      'sections',
      'question-form',
      'insights',
    ].map(part),
  ],
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
  const files = new Map<string, SiteFile>();
  /** Returns a script of a page; undefined for any other path. */
  return async (urlPath: string): Promise<SiteFile | undefined> => {
    const known = files.get(urlPath);
    if (known) return known;
    const text = (await scripts.get(urlPath)?.())?.text;
    if (text === undefined) return undefined;
    const file = fileOf(text);
    files.set(urlPath, file);
    return file;
  };
}

function fileOf(text: string): SiteFile {
  const bytes = Buffer.from(text);
  const mediaType = 'text/javascript; charset=utf-8';
  const etag = contentTag(text);
  return { bytes, gzip: gzipSync(bytes), mediaType, etag, isImmutable: false, policy: undefined };
}
