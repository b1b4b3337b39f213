import { localPage } from '../../platform/content/local-page.ts';
import type { PageLink } from '../../platform/content/local-page.ts';

const style = `h2 { margin: 0; font-size: 1.25rem; }
section { border-top: 1px solid var(--line); padding: 1.25rem 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .5rem; margin: .75rem 0; }
.figure { background: var(--field); border-radius: .4rem; padding: .5rem .75rem; }
dt { font-size: .8rem; color: var(--soft); } dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.part { margin: .75rem 0; } .chart { height: 20rem; position: relative; }
.actions { display: flex; gap: .5rem; margin: .25rem 0; }
th, td { white-space: nowrap; } details { font-size: .9rem; margin: .25rem 0; }`;

/** /insights: every insight of a team as figures, charts and tables, from current API responses. */
export const insightsPage = (links: readonly PageLink[]): string =>
  localPage({
    title: 'Insights',
    path: '/insights',
    links,
    style,
    scripts: ['/insights/chart.js', '/insights/page.js'],
    body: `<h1>Insights</h1>
<p class="summary" id="summary">Every insight of your team, drawn from the answers of the API. The token stays in this page.</p>
<div id="session"></div>
<form autocomplete="off" id="question">
<div><label for="period">Period</label><input id="period" name="period" value="P30D" list="periods" required size="14"></div>
<datalist id="periods"><option>P7D<option>P30D<option>P90D<option>last_month<option>this_year<option>P12M<option>all_time</datalist>
<div><label for="timezone">Time zone</label><input id="timezone" name="timezone" placeholder="the team’s" size="18"></div>
<button class="primary">Renew</button>
</form>
<p id="state" role="status" aria-live="polite"></p>
<div id="answers"></div>`,
  });
