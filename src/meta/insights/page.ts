import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { browserScript } from '../../platform/content/browser-script.ts';

const script = browserScript([
  new URL('../../widget/script/dom.ts', import.meta.url),
  ...['answers', 'drawing', 'main'].map((name) => new URL(`script/${name}.ts`, import.meta.url)),
]);
const chart = path.join(
  path.dirname(createRequire(import.meta.url).resolve('chart.js')),
  'chart.umd.min.js',
);

/** /insights: every insight of a team as figures, charts and tables, from current API responses. */
export const insightsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Insights · Onward</title>
<style>
  :root { color-scheme: light; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; color: #1f2328; }
  h1 { margin: 0 0 .25rem; } h2 { margin: 0; }
  form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
  label { display: block; font-size: .85rem; color: #59636e; }
  input, button, select { font: inherit; padding: .4rem .6rem; border: 1px solid #d1d9e0; border-radius: .4rem; }
  button { background: #f6f8fa; cursor: pointer; }
  form button { background: #1f6feb; color: #fff; border-color: #1f6feb; }
  :focus-visible { outline: 3px solid #1f6feb66; outline-offset: 1px; }
  section { border-top: 1px solid #d1d9e0; padding: 1.25rem 0; }
  .summary { margin: 0; color: #59636e; }
  .figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .5rem; margin: .75rem 0; }
  .figure { background: #f6f8fa; border-radius: .4rem; padding: .5rem .75rem; }
  dt { font-size: .8rem; color: #59636e; } dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
  .part { margin: .75rem 0; } .chart { height: 20rem; position: relative; }
  .actions { display: flex; gap: .5rem; margin: .25rem 0; }
  .wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; }
  th, td { padding: .25rem .6rem; border-bottom: 1px solid #d1d9e0; text-align: left; white-space: nowrap; }
  details { font-size: .9rem; margin: .25rem 0; }
</style>
</head>
<body>
<header>
<h1>Insights</h1>
<p class="summary">Every insight of your team, drawn from the answers of the API. The token stays in this page.</p>
</header>
<form autocomplete="off">
<div><label for="token">Access token</label><input id="token" name="token" type="password" required size="30"></div>
<div><label for="period">Period</label><input id="period" name="period" value="P30D" list="periods" required size="14"></div>
<datalist id="periods"><option>P7D<option>P30D<option>P90D<option>last_month<option>this_year<option>P12M<option>all_time</datalist>
<div><label for="timezone">Time zone</label><input id="timezone" name="timezone" placeholder="the team’s" size="18"></div>
<button>Show</button>
</form>
<p id="state" role="status" aria-live="polite"></p>
<main id="answers"></main>
<script src="/insights/chart.js"></script>
<script src="/insights/page.js"></script>
</body>
</html>
`;

/** Returns an asset of the page; undefined for any other path. */
export async function insightsAsset(urlPath: string): Promise<string | undefined> {
  if (urlPath === '/insights/page.js') return (await script()).text;
  if (urlPath === '/insights/chart.js') return readFile(chart, 'utf8');
  return undefined;
}
