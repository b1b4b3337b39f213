import { element } from '../../../widget/script/dom.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';
import { textOf } from './values.ts';

export type Shown = Node | string;

const tones: Readonly<Record<string, string>> = {
  ...toneOf('good', 'delivered succeeded processed active launched completed verified subscribed'),
  ...toneOf('good', 'sent open created updated healthy enabled true'),
  ...toneOf('bad', 'failed bounced rejected_signature rejected_invalid disabled invalid expired'),
  ...toneOf('bad', 'missing complained unsubscribed erased'),
  ...toneOf('warn', 'retrying failing succeeded_with_errors pending_confirmation paused delayed'),
  ...toneOf('warn', 'suppressed unsigned canceling skipped soft_bouncing inactive'),
};

function toneOf(tone: string, statuses: string): Record<string, string> {
  return Object.fromEntries(statuses.split(' ').map((status) => [status, tone]));
}

/** Words of a name in the API. */
export const words = (name: string) =>
  name.replaceAll(/[_.-]+/g, ' ').replace(/^./, (first) => first.toUpperCase());

export function badge(status: string, text = words(status)): Shown {
  return status === '' ? '' : element('span', { class: `badge ${tones[status] ?? ''}` }, text);
}

/** The status of an HTTP response. */
export function httpBadge(value: unknown): Shown {
  const status = Number(value);
  if (!Number.isInteger(status) || status === 0) return '';
  const tone = status < 400 ? 'good' : 'bad';
  return element('span', { class: `badge ${tone}` }, String(status));
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const steps = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [2_592_000, 'day'],
  [31_536_000, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
] as const;
const secondsIn = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  month: 2_592_000,
  year: 31_536_000,
};

function relativeTo(atMs: number): string {
  const seconds = (atMs - Date.now()) / 1_000;
  const [, unit = 'year'] = steps.find(([limit]) => Math.abs(seconds) < limit) ?? [];
  return relative.format(Math.trunc(seconds / secondsIn[unit]), unit);
}

/** A time as people say it, and in full in its title. */
export function timeOf(value: unknown): Shown {
  const at = new Date(textOf(value));
  if (Number.isNaN(at.getTime())) return '';
  const exact = toTimestamp(at.getTime());
  const full = `${at.toLocaleString()} (${exact})`;
  return element('time', { datetime: exact, title: full }, relativeTo(at.getTime()));
}

/** A time with its date, for details. */
export function fullTimeOf(value: unknown): Shown {
  const short = timeOf(value);
  if (typeof short === 'string') return short;
  return element('span', {}, short, ` · ${new Date(textOf(value)).toLocaleString()}`);
}

/** Keeps relative times true. */
export function keepTimesCurrent(): void {
  setInterval(() => {
    for (const time of document.querySelectorAll('time')) {
      const text = relativeTo(new Date(time.dateTime).getTime());
      if (time.textContent !== text) time.textContent = text;
    }
  }, 10_000);
}

/** A text with a button that copies it. */
export function copyable(value: unknown, name = 'text'): Shown {
  const text = textOf(value);
  if (text === '') return '';
  return element('span', { class: 'copyable' }, element('code', {}, text), copyButton(text, name));
}

function copyButton(text: string, name: string): HTMLElement {
  const button = element('button', {
    type: 'button',
    class: 'quiet',
    'aria-label': `Copy ${name}`,
  });
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(text).then(() => {
      button.textContent = 'Copied';
      announce('Copied');
      setTimeout(() => (button.textContent = 'Copy'), 1_500);
    });
  });
  return button;
}

/** Facts under their names; those without a value are left out. */
export function facts(...pairs: readonly (readonly [name: string, value: Shown])[]): HTMLElement[] {
  const lines = pairs
    .filter(([, value]) => value !== '')
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  return lines.length === 0 ? [] : [element('dl', { class: 'facts' }, ...lines)];
}

/** A text of others, as it is, with its name and a button that copies it. */
export function codeBlock(name: string, text: string): HTMLElement[] {
  if (text === '') return [];
  const head = element(
    'div',
    { class: 'code-head' },
    element('span', {}, name),
    copyButton(text, name),
  );
  return [
    element(
      'div',
      { class: 'code' },
      head,
      element('pre', { tabindex: '0', role: 'group', 'aria-label': name }, text),
    ),
  ];
}

/** JSON in lines; a text that is no JSON as it is. */
export function indented(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2);
  try {
    return JSON.stringify(JSON.parse(value), undefined, 2);
  } catch {
    return value;
  }
}

/** Headers of HTTP, one a line. */
export const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join('\n');

/** A share of a whole. */
export function meter(name: string, done: number, of: number): Shown {
  if (of <= 0) return '';
  const share = Math.min(1, done / of);
  return element(
    'span',
    { class: 'meter' },
    element('progress', { max: '1', value: String(share), 'aria-label': name }),
    ` ${done.toLocaleString()} of ${of.toLocaleString()}`,
  );
}

/** Says something to screen readers, without moving the focus. */
export function announce(text: string): void {
  const state = document.querySelector('#state');
  if (state && state.textContent !== text) state.textContent = text;
}
