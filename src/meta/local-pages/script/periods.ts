import { element, labeled } from '../../../widget/script/dom.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';
import { readQuestion, usualPeriod } from './question.ts';

const presets = [
  ['P7D', 'Last 7 days'],
  ['P30D', 'Last 30 days'],
  ['P90D', 'Last 90 days'],
  ['this_month', 'This month'],
  ['last_month', 'Last month'],
  ['this_year', 'This year'],
  ['P12M', 'Last 12 months'],
  ['all_time', 'All time'],
  ['', 'Between two dates'],
] as const;

/** A choice of a period: one of some usual ones, or from a day to a day, both included. */
export function periodPicker(change: () => void): {
  fields: HTMLElement[];
  value(): string;
  choose(period: string): void;
} {
  const choice = element(
    'select',
    {},
    ...presets.map(([value, text]) =>
      element('option', { value, selected: value === usualPeriod }, text),
    ),
  );
  const from = element('input', { type: 'date', required: true });
  const to = element('input', { type: 'date', required: true });
  const dates = [labeled('From', from), labeled('To', to)];
  const show = () => {
    for (const date of dates) date.hidden = choice.value !== '';
  };
  show();
  let chosen: string = usualPeriod;
  choice.addEventListener('change', () => {
    show();
    if (choice.value !== '') change();
    else from.focus();
  });
  for (const date of [from, to]) {
    date.addEventListener('change', () => {
      if (from.value !== '' && to.value !== '' && from.value <= to.value) change();
    });
  }
  return {
    fields: [labeled('Period', choice), ...dates],
    value() {
      if (choice.value !== '') return choice.value;
      if (from.value === '' || to.value === '' || from.value > to.value)
        return readQuestion().period;
      return `${from.value}/${shifted(to.value, 1)}`;
    },
    choose(period) {
      // Another field was changed while the two dates were not yet entered.
      if (period === chosen && choice.value === '') return;
      chosen = period;
      const [, start, end] = /^(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)$/.exec(period) ?? [];
      if (start !== undefined && end !== undefined) {
        [choice.value, from.value, to.value] = ['', start, shifted(end, -1)];
      } else {
        // The API takes more periods than are listed, such as 2026-Q1.
        const isListed = [...choice.options].some(({ value }) => value === period);
        if (!isListed) choice.append(element('option', { value: period }, period));
        choice.value = period;
      }
      show();
    },
  };
}

/** The end of a period is not part of it. */
function shifted(day: string, days: number): string {
  const next = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(next.getTime())) return day;
  next.setUTCDate(next.getUTCDate() + days);
  return cutDay(toTimestamp(next.getTime()));
}

const cutDay = (text: string) => text.split('T')[0] ?? '';
