import { element } from '../../../widget/script/dom.ts';
import { ask, csvOf, currencyOf, listInsights, titleOf } from './answers.ts';
import type { Answer, Insight, Question, Table } from './answers.ts';
import { read } from './api.ts';
import { draw } from './drawing.ts';
import { isSignedIn, openSession } from './session.ts';
import { figureOf } from './units.ts';
import { rowsOf, textOf } from './values.ts';

/** Pause between requests: the rate limit of insights is a few requests a second. */
const pauseMs = 400;
const maxRows = 15;

function download(name: string, href: string): void {
  element('a', { href, download: name }).click();
}

function button(text: string, press: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', press);
  return made;
}

function figuresOf({ figures }: Answer): HTMLElement {
  const tiles = figures.map(([name, value]) =>
    element('div', { class: 'figure' }, element('dt', {}, titleOf(name)), element('dd', {}, value)),
  );
  return element('dl', { class: 'figures' }, ...tiles);
}

function tableOf({ rows, units }: Table, currency: string | undefined): HTMLElement {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !/(^|_)id$/.test(name));
  const head = columns.map((name) => element('th', { scope: 'col' }, titleOf(name)));
  const lines = rows
    .slice(0, maxRows)
    .map((row) =>
      element(
        'tr',
        {},
        ...columns.map((name) =>
          element('td', {}, figureOf(units.get(name) ?? 'plain', row[name], currency)),
        ),
      ),
    );
  const more = rows.length > maxRows ? ` of ${String(rows.length)}` : '';
  return element(
    'details',
    {},
    element('summary', {}, `Table: ${String(lines.length)}${more} rows`),
    element(
      'div',
      { class: 'wide' },
      element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...head)),
        element('tbody', {}, ...lines),
      ),
    ),
  );
}

function chartOf(insight: Insight, table: Table, currency: string | undefined): HTMLElement {
  const { name, rows } = table;
  const canvas = element('canvas');
  const file = `${insight.name}-${name.replaceAll(/\W+/g, '-')}`;
  const box = element('div', { class: 'chart' }, canvas);
  const part = element('div', { class: 'part' }, box);
  queueMicrotask(() => {
    const chart = draw(canvas, table, /value/.test(insight.name));
    part.append(
      element(
        'p',
        { class: 'actions' },
        button('CSV', () => {
          const blob = new Blob([csvOf(rows)], { type: 'text/csv' });
          download(`${file}.csv`, URL.createObjectURL(blob));
        }),
        button('PNG', () => {
          download(`${file}.png`, chart.toBase64Image());
        }),
      ),
      tableOf(table, currency),
    );
  });
  return part;
}

async function show(host: HTMLElement, insight: Insight, question: Question): Promise<void> {
  const answer = await ask(insight, question);
  host.replaceChildren(
    element('h2', {}, titleOf(insight.name)),
    element('p', { class: 'summary' }, insight.summary),
    element('details', {}, element('summary', {}, 'How it is counted'), insight.definition),
    figuresOf(answer),
    ...answer.tables.map((table) => chartOf(insight, table, question.currency)),
    ...(answer.tables.length + answer.figures.length === 0
      ? [element('p', { class: 'empty' }, 'Nothing happened in this period.')]
      : []),
  );
}

async function start(): Promise<void> {
  const form = document.querySelector<HTMLFormElement>('#question');
  const session = document.querySelector<HTMLElement>('#session');
  const answers = document.querySelector<HTMLElement>('#answers');
  const state = document.querySelector<HTMLElement>('#state');
  if (!form || !session || !answers || !state) return;
  let run = 0;

  const showAll = async () => {
    run += 1;
    const mine = run;
    const fields = new FormData(form);
    const text = (name: string) => textOf(fields.get(name)).trim();
    answers.replaceChildren();
    try {
      const currency = await currencyOf();
      const question = { period: text('period'), timezone: text('timezone'), currency };
      const insights = await listInsights();
      for (const [at, insight] of insights.entries()) {
        // Another question was asked in the meantime.
        if (mine !== run) return;
        state.textContent = `${String(at + 1)} of ${String(insights.length)}: ${titleOf(insight.name)}`;
        const host = element('section', { id: insight.name });
        answers.append(host);
        await show(host, insight, question);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      if (mine === run) state.textContent = `All ${String(insights.length)} insights are shown.`;
    } catch (error) {
      if (mine === run) state.textContent = error instanceof Error ? error.message : String(error);
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isSignedIn()) void showAll();
  });
  await openSession(session, () => void showAll(), hasJourneys);
}

/** Whether a team has anything that could be drawn. */
async function hasJourneys(): Promise<boolean> {
  const { data } = await read('listJourneys', { query: { 'page[size]': '1' } });
  return rowsOf(data).length > 0;
}

void start();
