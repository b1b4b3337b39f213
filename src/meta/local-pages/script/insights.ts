import { element, labeled } from '../../../widget/script/dom.ts';
import { ask, currencyOf, listInsights } from './answers.ts';
import type { Answer, Insight } from './answers.ts';
import { Problem, read } from './api.ts';
import type { Query } from './operations.ts';
import { drawOverview, overviewNames } from './overview.ts';
import { periodPicker } from './periods.ts';
import { problemNote } from './problems.ts';
import { drawSection, headingOf } from './sections.ts';
import { mayCall, openSession } from './session.ts';
import { announce } from './shown.ts';
import { rowsOf, textOf } from './values.ts';

/** Pause between requests: the rate limit of insights is a few requests a second. */
const pauseMs = 400;
const maxAttempts = 6;

/** The questions in the order of the page. */
const order = [
  ...overviewNames,
  'campaign-enrollment',
  'campaign-engagement',
  'overall-number-of-campaigns',
  'objective-completion-rate',
  'objective-total-value',
  'added-value-by-time',
  'objective-content',
  'drivers',
  'gap-analysis',
];

const placeOf = ({ name }: Insight) =>
  (order.indexOf(name) + order.length + 1) % (order.length + 1);
const templateFilter = 'filter[template_id]';

async function start(): Promise<void> {
  const host = document.querySelector<HTMLElement>('#page');
  const session = document.querySelector<HTMLElement>('#session');
  if (!host || !session) return;
  let run = 0;

  const zone = element('input', { placeholder: 'the team’s', size: '18' });
  const template = element('select', {}, element('option', { value: '' }, 'All'));
  const templateField = labeled('Campaign', template);
  const show = () => void showAll();
  const period = periodPicker(show);
  const form = element(
    'form',
    { autocomplete: 'off' },
    ...period.fields,
    templateField,
    labeled('Time zone', zone),
  );
  for (const field of [zone, template]) field.addEventListener('change', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  const overview = element('div', { id: 'overview' });
  const contents = element('nav', { class: 'contents', 'aria-label': 'Questions' });
  const progress = element('p', { class: 'small soft' });
  const answers = element('div', {});
  host.replaceChildren(form, overview, contents, progress, answers);

  async function listTemplates(): Promise<void> {
    templateField.hidden = !mayCall('listTemplates');
    if (templateField.hidden) return;
    const { data } = await read('listTemplates', {
      query: { sort: '-launched_at', 'page[size]': '100' },
    });
    const options = rowsOf(data).map((row) =>
      element('option', { value: textOf(row['id']) }, textOf(row['name'])),
    );
    template.replaceChildren(element('option', { value: '' }, 'All'), ...options);
  }

  const queryFor = ({ filters }: Insight) => ({
    period: period.value(),
    ...(zone.value.trim() !== '' && { timezone: zone.value.trim() }),
    ...(template.value !== '' &&
      filters.includes(templateFilter) && { [templateFilter]: template.value }),
  });

  async function showAll(): Promise<void> {
    run += 1;
    const mine = run;
    try {
      const currency = await currencyOf();
      const insights = (await listInsights()).sort((a, b) => placeOf(a) - placeOf(b));
      if (mine !== run) return;
      const sections = new Map(insights.map((insight) => [insight, sectionOf(insight)]));
      contents.replaceChildren(
        ...insights.map((insight) =>
          element('a', { href: `#${insight.name}` }, headingOf(insight)),
        ),
      );
      overview.replaceChildren(element('p', { class: 'loading' }, 'Loading…'));
      answers.replaceChildren(...[...sections.values()].map(({ section }) => section));
      const known = new Map<string, Answer>();
      for (const [at, insight] of insights.entries()) {
        // Another question was asked in the meantime.
        if (mine !== run) return;
        progress.textContent = `${String(at)} of ${String(insights.length)} questions are answered.`;
        const body = sections.get(insight)?.body;
        try {
          const answer = await askPatiently(insight, queryFor(insight));
          if (mine !== run) return;
          known.set(insight.name, answer);
          body?.replaceChildren(...wideNote(insight), ...drawSection(insight, answer, currency));
        } catch (error) {
          body?.replaceChildren(problemNote(error));
        }
        if (insight.name === overviewNames.at(-1)) {
          overview.replaceChildren(...drawOverview(known, currency));
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      if (mine !== run) return;
      progress.textContent = `All ${String(insights.length)} questions are answered.`;
      announce(progress.textContent);
    } catch (error) {
      if (mine !== run) return;
      for (const part of [overview, contents, answers]) part.replaceChildren();
      progress.textContent = '';
      answers.replaceChildren(problemNote(error));
    }
  }

  function wideNote({ filters }: Insight): HTMLElement[] {
    if (template.value === '' || filters.includes(templateFilter)) return [];
    return [
      element(
        'p',
        { class: 'note' },
        'This question is about the team: it has no filter for a campaign.',
      ),
    ];
  }

  await openSession(
    session,
    () => {
      template.value = '';
      void listTemplates().catch(() => undefined);
      show();
    },
    hasJourneys,
  );
}

/** Asks again where the rate limit of insights was reached. */
async function askPatiently(insight: Insight, query: Query): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask(insight, query);
    } catch (error) {
      const isLimited = error instanceof Problem && error.code === 'rate_limited';
      if (!isLimited || attempt === maxAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    }
  }
}

function sectionOf(insight: Insight) {
  const body = element('div', {}, element('p', { class: 'loading' }, 'Loading…'));
  const section = element(
    'section',
    { id: insight.name },
    element('h2', {}, headingOf(insight)),
    body,
  );
  return { section, body };
}

/** Whether a team has anything that could be drawn. */
async function hasJourneys(): Promise<boolean> {
  if (!mayCall('listJourneys')) return true;
  const { data } = await read('listJourneys', { query: { 'page[size]': '1' } });
  return rowsOf(data).length > 0;
}

void start();
