import { nameIn } from './answers.ts';
import type { Column, Table } from './answers.ts';
import { bucketLabel } from './buckets.ts';
import type { Source } from './buckets.ts';
import { figureOf } from './units.ts';
import type { Row } from './values.ts';
import { cutText } from '../../../platform/cut-text.ts';

const maxBars = 12;
const barHeight = 26;

/** Columns that can be drawn: numbers on one scale each. */
export const measuresOf = ({ columns, rows }: Table): Column[] =>
  columns.filter(
    ({ key }) =>
      rows.some((row) => typeof row[key] === 'number' && row[key] !== 0) &&
      rows.every((row) => typeof row[key] === 'number' || row[key] === null),
  );

/** Height of the chart of a table. */
const heightOf = ({ kind, rows }: Table) =>
  kind === 'series' ? 240 : Math.min(rows.length, maxBars) * barHeight + 16;

/** Draws counts as bars: upright ones over time, lying ones for a list. Nothing is smoothed. */
export function drawChart(
  canvas: HTMLCanvasElement,
  table: Table,
  measure: Column,
  source: Source,
  currency: string | undefined,
): void {
  const width = Math.max(280, canvas.parentElement?.clientWidth ?? 600);
  const height = heightOf(table);
  const scale = window.devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = `${String(height)}px`;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `Bars of ${measure.label}; the table below says the same.`);
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string) => styles.getPropertyValue(`--${name}`);
  pen.scale(scale, scale);
  pen.fillStyle = color('page');
  pen.fillRect(0, 0, width, height);
  pen.font = `12px ${color('font')}`;
  pen.textBaseline = 'middle';
  const paint = { pen, width, height, color };
  const text = (value: number) => figureOf(measure.unit, value, currency);
  const dayOf = (row: Row) => bucketLabel(source, row['start']);
  if (table.kind === 'series') drawSeries(paint, table, measure, text, dayOf);
  else drawList(paint, table, measure, text);
}

interface Paint {
  pen: CanvasRenderingContext2D;
  width: number;
  height: number;
  color(name: string): string;
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : 0);

function drawList(
  { pen, width, color }: Paint,
  { rows, kind }: Table,
  { key }: Column,
  text: (value: number) => string,
) {
  const shown = (kind === 'steps' ? rows : sortedBy(rows, key)).slice(0, maxBars);
  const most = Math.max(...shown.map((row) => Math.abs(numberIn(row[key]))));
  const nameWidth = Math.min(width * 0.36, 260);
  const room = width - nameWidth - 90;
  shown.forEach((row, at) => {
    const y = 8 + at * barHeight + barHeight / 2;
    const value = numberIn(row[key]);
    pen.fillStyle = color('text');
    pen.fillText(fitted(pen, nameIn(row), nameWidth - 10), 0, y);
    pen.fillStyle = color(value < 0 ? 'bad' : 'accent');
    const length = Math.max(1, (Math.abs(value) / most) * room);
    pen.fillRect(nameWidth, y - 8, length, 16);
    pen.fillStyle = color('soft');
    pen.fillText(row[key] === null ? '–' : text(value), nameWidth + length + 6, y);
  });
}

/** The largest first; rows without a value at the end. */
export const sortedBy = (rows: readonly Row[], key: string): Row[] =>
  [...rows].sort((a, b) => rankOf(b[key]) - rankOf(a[key]));

const rankOf = (value: unknown) => (typeof value === 'number' ? value : -Number.MAX_VALUE);

function drawSeries(
  { pen, width, height, color }: Paint,
  { rows }: Table,
  { key, unit }: Column,
  text: (value: number) => string,
  dayOf: (row: Row) => string,
) {
  const values = rows.map((row) => numberIn(row[key]));
  const top = niceTop(Math.max(...values), unit === 'plain');
  const [left, bottom] = [72, 26];
  const room = { width: width - left - 8, height: height - bottom - 14 };
  const yOf = (value: number) => 14 + room.height * (1 - value / top);
  for (const share of [0, 0.5, 1]) {
    const y = yOf(top * share);
    pen.fillStyle = color('line');
    pen.fillRect(left, Math.round(y), room.width, 1);
    pen.fillStyle = color('soft');
    pen.textAlign = 'right';
    pen.fillText(text(top * share), left - 8, y);
  }
  const step = room.width / values.length;
  pen.fillStyle = color('accent');
  values.forEach((value, at) => {
    const y = yOf(Math.max(0, value));
    const gap = Math.min(4, step * 0.2);
    pen.fillRect(left + at * step + gap / 2, y, Math.max(1, step - gap), yOf(0) - y);
  });
  pen.fillStyle = color('soft');
  const labels = Math.max(2, Math.min(values.length, Math.floor(room.width / 110)));
  for (let at = 0; at < labels; at += 1) {
    const index = Math.round((at * (values.length - 1)) / Math.max(1, labels - 1));
    const row = rows[index];
    if (!row || (at > 0 && values.length === 1)) continue;
    pen.textAlign = at === 0 ? 'left' : at === labels - 1 ? 'right' : 'center';
    const x = at === 0 ? left : at === labels - 1 ? width - 8 : left + (index + 0.5) * step;
    pen.fillText(dayOf(row), x, height - 10);
  }
  pen.textAlign = 'left';
}

/** The end of an axis: a round number, and one that has a whole half for counts. */
function niceTop(most: number, isWhole: boolean): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const nice =
    [1, 2, 4, 5, 6, 8, 10].map((times) => times * power).find((one) => one >= most) ?? most;
  return isWhole ? Math.max(2, Math.ceil(nice / 2) * 2) : nice;
}

function fitted(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && pen.measureText(`${cutText(text, length)}…`).width > width) length -= 1;
  return `${cutText(text, length)}…`;
}
