import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { browserScript } from '../../platform/content/browser-script.ts';

const part = (name: string) => new URL(`script/${name}.ts`, import.meta.url);
const shared = [
  new URL('../../widget/script/dom.ts', import.meta.url),
  part('api'),
  part('session'),
];
const cutText = new URL('../../platform/cut-text.ts', import.meta.url);
const insights = browserScript([
  ...[...shared, cutText],
  ...['units', 'answers', 'drawing', 'insights'].map(part),
]);
const requests = browserScript([...shared, part('requests')]);
const chart = path.join(
  path.dirname(createRequire(import.meta.url).resolve('chart.js')),
  'chart.umd.min.js',
);

/** Returns a script of a page; undefined for any other path. */
export async function pageScript(urlPath: string): Promise<string | undefined> {
  if (urlPath === '/insights/page.js') return (await insights()).text;
  if (urlPath === '/insights/chart.js') return readFile(chart, 'utf8');
  if (urlPath === '/requests/page.js') return (await requests()).text;
  return undefined;
}
