/** The question that the fragment of the address asks, `#/<section>?period=P90D&campaign=<id>`. */
export interface Question {
  /** The name of an insight to scroll to; empty at the top. */
  section: string;
  period: string;
  campaign: string;
  cohort: string;
  zone: string;
}

export const usualPeriod = 'P30D';
const parameters = ['period', 'campaign', 'cohort', 'zone'] as const;

export function readQuestion(): Question {
  const [section = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const query = new URLSearchParams(search);
  return {
    section,
    period: query.get('period') ?? usualPeriod,
    campaign: query.get('campaign') ?? '',
    cohort: query.get('cohort') ?? '',
    zone: query.get('zone') ?? '',
  };
}

/** The fragment that asks the same. */
export function questionHash(question: Question): string {
  const query = new URLSearchParams();
  for (const name of parameters) {
    const value = question[name];
    if (value !== '' && !(name === 'period' && value === usualPeriod)) query.set(name, value);
  }
  const search = query.toString();
  return `#/${question.section}${search === '' ? '' : `?${search}`}`;
}

/** The address of a part of the page, for the question that is asked now. */
export const sectionHref = (section: string): string =>
  questionHash({ ...readQuestion(), section });

/** Moves the focus by the link at the top: its fragment would take the place of the question. */
export function keepAddressOnSkip(): void {
  document.querySelector<HTMLElement>('a.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    const content = document.querySelector<HTMLElement>('#content');
    content?.setAttribute('tabindex', '-1');
    content?.focus();
  });
}
