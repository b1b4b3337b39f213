import { labelOf, titleOf } from './answers.ts';
import type { Table } from './answers.ts';
import { cutText } from '../../../platform/cut-text.ts';

/** Chart.js, which the page loads before. */
declare const Chart: {
  new (canvas: HTMLCanvasElement, config: object): { toBase64Image(): string };
  defaults: { color: string; borderColor: string };
};

const colours = ['#1f6feb', '#d1570a', '#1a7f37', '#8250df', '#bf3989'];
const maxBars = 12;
const maxLines = 4;

/** Columns that hold numbers, as far as one scale shows them: amounts, or counts, or others. */
function measuresOf({ rows, units }: Table, prefersMoney: boolean): string[] {
  const [first = {}] = rows;
  const numbers = Object.keys(first).filter((key) => rows.every((row) => isNumber(row[key])));
  const counts = numbers.filter(
    (key) => units.get(key) === 'plain' && !/_pp$|percentile|days|seconds/.test(key),
  );
  const amounts = prefersMoney ? numbers.filter((key) => units.get(key) === 'money') : [];
  const [best = numbers] = [amounts, counts].filter(({ length }) => length > 0);
  return best.slice(0, maxLines);
}

const isNumber = (value: unknown) => typeof value === 'number';

/** Draws a series as lines, another list as bars, and sets a text alternative. */
export function draw(canvas: HTMLCanvasElement, table: Table, prefersMoney: boolean) {
  const { name, rows, units } = table;
  const isSeries = rows.some((row) => 'start' in row);
  const styles = getComputedStyle(document.documentElement);
  Chart.defaults.color = styles.getPropertyValue('--soft');
  Chart.defaults.borderColor = styles.getPropertyValue('--line');
  const measures = measuresOf(table, prefersMoney);
  const scaleOf = (measure: string) => (units.get(measure) === 'money' ? 100 : 1);
  const shown = isSeries ? rows : rows.slice(0, maxBars);
  canvas.setAttribute('role', 'img');
  canvas.setAttribute(
    'aria-label',
    `${isSeries ? 'Lines' : 'Bars'} of ${measures.map(titleOf).join(', ')}; the table below says the same.`,
  );
  return new Chart(canvas, {
    type: isSeries ? 'line' : 'bar',
    data: {
      labels: shown.map((row) => (isSeries ? cutText(labelOf(row), 10) : labelOf(row))),
      datasets: measures.map((measure, at) => ({
        label: titleOf(measure),
        data: shown.map((row) => Number(row[measure]) / scaleOf(measure)),
        borderColor: colours[at],
        backgroundColor: `${colours[at] ?? ''}${isSeries ? '22' : 'cc'}`,
        borderWidth: isSeries ? 2 : 0,
        pointRadius: 0,
        fill: isSeries && at === 0,
      })),
    },
    options: {
      indexAxis: isSeries ? 'x' : 'y',
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      plugins: {
        legend: { position: 'bottom', display: measures.length > 1 },
        title: { display: true, text: isSeries ? 'Over time' : titleOf(name) },
      },
      scales: { x: { beginAtZero: true }, y: { beginAtZero: true } },
    },
  });
}
