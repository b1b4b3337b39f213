import { element, labeled } from '../../../widget/script/dom.ts';
import { ask, currencyOf, listInsights } from './answers.ts';
import type { Answer, Insight } from './answers.ts';
import { Problem, read } from './api.ts';
import type { Query } from './operations.ts';
import { drawOverview, overviewNames } from './overview.ts';
import { periodPicker } from './periods.ts';
import { isOfToken, problemNote } from './problems.ts';
import { keepAddressOnSkip, questionHash, readQuestion, sectionHref } from './question.ts';
import { drawSection, headingOf } from './sections.ts';
import { isSignedIn, mayCall, openSession } from './session.ts';
import { announce } from './shown.ts';
import { rowsOf, textOf } from './values.ts';

/** Pause after a refusal, which does not say how many requests a second are allowed. */
const usualPauseMs = 400;
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
const cohortFilter = 'filter[cohort_id]';

async function start(): Promise<void> {
  const host = document.querySelector<HTMLElement>('#page');
  const session = document.querySelector<HTMLElement>('#session');
  if (!host || !session) return;
  let run = 0;

  const zone = element('input', { placeholder: 'the team’s', size: '18' });
  const template = element('select', {}, element('option', { value: '' }, 'All'));
  const templateField = labeled('Campaign', template);
  const cohort = element('select', {}, element('option', { value: '' }, 'All'));
  const cohortField = labeled('Members of', cohort);
  /** Only the address holds the question: it can be shared, reloaded, and left by the back button. */
  const choose = () => {
    location.hash = questionHash({
      section: '',
      period: period.value(),
      campaign: template.value,
      cohort: cohort.value,
      zone: zone.value.trim(),
    });
  };
  const period = periodPicker(choose);
  const form = element(
    'form',
    { autocomplete: 'off', hidden: true },
    ...period.fields,
    templateField,
    cohortField,
    labeled('Time zone', zone),
  );
  for (const field of [zone, template, cohort]) field.addEventListener('change', choose);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  const overview = element('div', { id: 'overview' });
  const contents = element('nav', { class: 'contents', 'aria-label': 'Questions' });
  const progress = element('p', { class: 'small soft' });
  const answers = element('div', {});
  host.replaceChildren(form, overview, contents, progress, answers);

  async function listOptions(
    operation: string,
    sort: string,
    [select, field]: readonly [HTMLSelectElement, HTMLElement],
    chosen: () => string,
  ): Promise<void> {
    field.hidden = !mayCall(operation);
    if (field.hidden) return;
    const { data } = await read(operation, { query: { sort, 'page[size]': '100' } });
    const options = rowsOf(data).map((row) =>
      element('option', { value: textOf(row['id']) }, textOf(row['name'])),
    );
    select.replaceChildren(element('option', { value: '' }, 'All'), ...options);
    select.value = listed(select, chosen());
  }

  /** An id with its option, also of what is not among the first hundred. */
  function listed(select: HTMLSelectElement, id: string): string {
    const isListed = [...select.options].some(({ value }) => value === id);
    if (!isListed) select.append(element('option', { value: id }, 'Another one, by its id'));
    return id;
  }

  /** Shows in the form what the address asks. */
  function fillForm(): void {
    const question = readQuestion();
    period.choose(question.period);
    zone.value = question.zone;
    template.value = listed(template, question.campaign);
    cohort.value = listed(cohort, question.cohort);
  }

  const queryFor = ({ filters }: Insight) => {
    const question = readQuestion();
    const narrow = (name: string, id: string) =>
      id !== '' && filters.includes(name) && { [name]: id };
    return {
      period: question.period,
      ...(question.zone !== '' && { timezone: question.zone }),
      ...narrow(templateFilter, question.campaign),
      ...narrow(cohortFilter, question.cohort),
    };
  };

  /** The question that is drawn, without the section. */
  let drawn = '';

  function follow(): void {
    if (!isSignedIn()) return;
    const asked = sectionHref('');
    if (asked !== drawn) {
      drawn = asked;
      fillForm();
      void showAll();
    } else goToSection();
  }

  function goToSection(): void {
    const { section } = readQuestion();
    if (/^[a-z-]+$/.test(section)) document.getElementById(section)?.scrollIntoView();
  }

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
          element('a', { href: sectionHref(insight.name) }, headingOf(insight)),
        ),
      );
      overview.replaceChildren(element('p', { class: 'loading' }, 'Loading…'));
      answers.replaceChildren(...[...sections.values()].map(({ section }) => section));
      goToSection();
      const known = new Map<string, Answer>();
      let refusal: HTMLElement | undefined;
      for (const [at, insight] of insights.entries()) {
        // Another question was asked in the meantime.
        if (mine !== run) return;
        progress.textContent = `${String(at)} of ${String(insights.length)} questions are answered.`;
        const body = sections.get(insight)?.body;
        let pauseMs = usualPauseMs;
        try {
          const answer = await askPatiently(insight, queryFor(insight));
          if (mine !== run) return;
          known.set(insight.name, answer);
          ({ pauseMs } = answer);
          body?.replaceChildren(...wideNote(insight), ...drawSection(insight, answer, currency));
        } catch (error) {
          if (mine !== run) return;
          // Every other question would be refused for the same.
          if (error instanceof Problem && isForAll(error.code)) throw error;
          body?.replaceChildren(problemNote(error));
          refusal ??= problemNote(error);
        }
        if (insight.name === overviewNames.at(-1)) {
          const isWhole = overviewNames.every((name) => known.has(name));
          if (isWhole || !refusal) overview.replaceChildren(...drawOverview(known, currency));
          else overview.replaceChildren(refusal);
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
    const { campaign, cohort: members } = readQuestion();
    const lacking = [
      ...(campaign !== '' && !filters.includes(templateFilter) ? ['a campaign'] : []),
      ...(members !== '' && !filters.includes(cohortFilter) ? ['a cohort'] : []),
    ];
    if (lacking.length === 0) return [];
    const text = `This question is about the team: it has no filter for ${lacking.join(' or ')}.`;
    return [element('p', { class: 'note' }, text)];
  }

  addEventListener('hashchange', follow);
  keepAddressOnSkip();
  let isFirst = true;
  await openSession(
    session,
    () => {
      // Campaigns and cohorts are those of another team now.
      if (!isFirst)
        history.replaceState(
          undefined,
          '',
          questionHash({ ...readQuestion(), section: '', campaign: '', cohort: '' }),
        );
      isFirst = false;
      form.hidden = false;
      const lists = [
        listOptions(
          'listTemplates',
          '-launched_at',
          [template, templateField],
          () => readQuestion().campaign,
        ),
        listOptions('listCohorts', 'name', [cohort, cohortField], () => readQuestion().cohort),
      ];
      for (const list of lists) void list.catch(() => undefined);
      drawn = '';
      follow();
    },
    hasJourneys,
  );
}

/** A refusal that has nothing to do with the single question. */
const isForAll = (code: string) => isOfToken(code) || code === 'invalid_timezone';

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
