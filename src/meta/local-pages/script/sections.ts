import { element, labeled } from '../../../widget/script/dom.ts';
import { csvOf } from './answers.ts';
import type { Answer, Column, Figure, Insight, Table } from './answers.ts';
import { bucketLabel, withStarts } from './buckets.ts';
import type { Source } from './buckets.ts';
import { drawChart, measuresOf, sortedBy } from './charts.ts';
import { words } from './shown.ts';
import { stepTables } from './steps.ts';
import { figureOf } from './units.ts';
import { textOf } from './values.ts';

/** The question of an insight as a heading. */
export const headingOf = ({ name }: Insight) => words(name);

function download(name: string, href: string): void {
  element('a', { href, download: name }).click();
}

function saveCsv(name: string, text: string): void {
  // Excel reads a file without the mark in another encoding than UTF-8.
  const href = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  download(`${name}.csv`, href);
  URL.revokeObjectURL(href);
}

function button(text: string, press: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'quiet' }, text);
  made.addEventListener('click', press);
  return made;
}

const shownOf = ({ unit, value }: Figure, currency: string | undefined) =>
  figureOf(unit, value, currency);

/** Figures under the names of their groups; groups of the same figures become one table. */
function drawFigures({ figures }: Answer, currency: string | undefined): HTMLElement[] {
  const groups = new Map<string, Figure[]>();
  for (const figure of figures)
    groups.set(figure.group, [...(groups.get(figure.group) ?? []), figure]);
  const named = [...groups].filter(([group]) => group !== '');
  const labelsOf = (all: readonly Figure[]) => all.map(({ label }) => label).join('|');
  const first = named[0]?.[1] ?? [];
  const isMatrix = named.length > 1 && named.every(([, all]) => labelsOf(all) === labelsOf(first));
  const lone = groups.get('') ?? [];
  return [
    ...(lone.length > 0 ? [tiles(lone, currency)] : []),
    ...(isMatrix
      ? [matrix(named, currency)]
      : named.flatMap(([group, all]) => [element('h3', {}, group), tiles(all, currency)])),
  ];
}

const tiles = (figures: readonly Figure[], currency: string | undefined) =>
  element(
    'dl',
    { class: 'figures' },
    ...figures.map((figure) =>
      element(
        'div',
        { 'data-figure': figure.path },
        element('dt', {}, figure.label),
        element('dd', {}, shownOf(figure, currency)),
        ...(figure.base === '' ? [] : [element('dd', { class: 'base' }, figure.base)]),
      ),
    ),
  );

function matrix(
  groups: readonly (readonly [string, readonly Figure[]])[],
  currency: string | undefined,
) {
  const heads = groups.map(([group]) => element('th', { scope: 'col', class: 'number' }, group));
  const lines = (groups[0]?.[1] ?? []).map((figure, at) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, figure.label),
      ...groups.map(([, all]) => {
        const one = all[at] ?? figure;
        return element('td', { class: 'number', 'data-figure': one.path }, shownOf(one, currency));
      }),
    ),
  );
  return element(
    'div',
    { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Figures' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, element('td', {}), ...heads)),
      element('tbody', {}, ...lines),
    ),
  );
}

/** Ids are for programs: a person sees the names. */
const columnsOf = ({ columns }: Table) => columns.filter(({ key }) => !/(^|_)id$/.test(key));

function drawTable(table: Table, source: Source, currency: string | undefined): HTMLElement {
  const columns = columnsOf(table);
  const cellOf = ({ key, unit }: Column, row: Table['rows'][number]) => {
    const value = row[key];
    if (key === 'start') return element('td', {}, bucketLabel(source, value));
    const isNumber = typeof value === 'number' || value === null;
    return element('td', { class: isNumber ? 'number' : '' }, figureOf(unit, value, currency));
  };
  const body = element('tbody', {});
  const fill = (rows: Table['rows']) => {
    body.replaceChildren(
      ...rows.map((row) => element('tr', {}, ...columns.map((column) => cellOf(column, row)))),
    );
  };
  fill(table.rows);
  const heads = columns.map(({ key, label }) => {
    const isNumber = table.rows.some((row) => typeof row[key] === 'number');
    const head = element('th', { scope: 'col', class: isNumber ? 'number' : '' });
    const sort = button(label, () => {
      const isDescending = head.getAttribute('aria-sort') === 'descending';
      for (const one of heads) one.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isDescending ? 'ascending' : 'descending');
      const sorted = isNumber ? sortedBy(table.rows, key) : sortedByText(table.rows, key);
      fill(isDescending ? sorted.reverse() : sorted);
    });
    head.append(sort);
    return head;
  });
  const count = table.rows.length;
  return element(
    'details',
    {},
    element('summary', {}, `Table: ${String(count)} ${count === 1 ? 'row' : 'rows'}`),
    element(
      'div',
      { class: 'wide', tabindex: '0', role: 'group', 'aria-label': table.label },
      element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body),
    ),
  );
}

const sortedByText = (rows: Table['rows'], key: string) =>
  [...rows].sort((a, b) => textOf(b[key]).localeCompare(textOf(a[key])));

/** A chart with a choice among the columns that can be drawn, and its table. */
function drawPart(
  insight: Insight,
  table: Table,
  source: Source,
  currency: string | undefined,
): HTMLElement {
  const file = `${insight.name}-${table.key.replaceAll(/\W+/g, '-')}`;
  const measures = measuresOf(table);
  const csv = button('CSV', () => {
    saveCsv(
      file,
      csvOf(
        table.columns.map(({ key }) => key),
        table.kind === 'series' ? withStarts(source, table.rows) : table.rows,
      ),
    );
  });
  const usual =
    measures.find(({ unit }) => /value/.test(insight.name) && unit === 'money') ?? measures[0];
  const head = element('div', { class: 'part-head' }, element('h3', {}, table.label));
  const part = element('div', { class: 'part' }, head);
  if (!usual) {
    part.append(element('p', { class: 'empty' }, 'Nothing was counted in this period.'));
    return part;
  }
  const canvas = element('canvas');
  const box = element('div', { class: 'chart' }, canvas);
  let measure = usual;
  const draw = () => {
    drawChart(canvas, table, measure, source, currency);
  };
  if (measures.length > 1) {
    const choice = element(
      'select',
      { 'aria-label': `Figure of ${table.label}, ${headingOf(insight)}` },
      ...measures.map((one) =>
        element('option', { value: one.key, selected: one === usual }, one.label),
      ),
    );
    choice.addEventListener('change', () => {
      measure = measures.find(({ key }) => key === choice.value) ?? usual;
      draw();
    });
    head.append(choice);
  } else head.append(element('span', { class: 'soft' }, usual.label));
  const png = button('PNG', () => {
    download(`${file}.png`, canvas.toDataURL('image/png'));
  });
  head.append(csv, png);
  part.append(box, drawTable(table, source, currency));
  new ResizeObserver(draw).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  return part;
}

/** The funnel of all campaigns or of a chosen one. */
function drawSteps(insight: Insight, answer: Answer, currency: string | undefined): HTMLElement {
  const choices = stepTables(answer);
  const place = element('div', {});
  const choice = element(
    'select',
    {},
    ...choices.map(({ name }, at) => element('option', { value: String(at) }, name)),
  );
  const draw = () => {
    const chosen = choices[Number(choice.value)];
    if (chosen) place.replaceChildren(drawPart(insight, chosen.table, answer.source, currency));
  };
  choice.addEventListener('change', draw);
  draw();
  return element('div', { class: 'steps' }, labeled('Steps of', choice), place);
}

const isZero = (value: unknown) => value === 0 || value === null || typeof value === 'string';

/** The answer of an insight: figures first, then each list and series. */
export function drawSection(
  insight: Insight,
  answer: Answer,
  currency: string | undefined,
): HTMLElement[] {
  const { figures, tables } = answer;
  const isEmpty =
    figures.every(({ value }) => isZero(value)) &&
    tables.every((table) => measuresOf(table).length === 0);
  const save = button('Figures as CSV', () => {
    const rows = figures.map(({ path, group, label, value }) => ({
      figure: path,
      group,
      label,
      value,
    }));
    saveCsv(insight.name, csvOf(['figure', 'group', 'label', 'value'], rows));
  });
  return [
    element('p', { class: 'summary' }, insight.summary, '.'),
    element('details', {}, element('summary', {}, 'How it is counted'), insight.definition),
    ...(isEmpty
      ? [
          element(
            'p',
            { class: 'empty' },
            'Nothing happened in this period. Choose a longer one above.',
          ),
        ]
      : []),
    ...drawFigures(answer, currency),
    ...(figures.length > 0 ? [element('p', {}, save)] : []),
    ...(isEmpty || insight.name !== 'campaign-performance'
      ? []
      : [drawSteps(insight, answer, currency)]),
    ...(isEmpty ? [] : tables.map((table) => drawPart(insight, table, answer.source, currency))),
  ];
}
