import { element } from '../../../widget/script/dom.ts';
import { ask, currencyOf, listInsights } from './answers.ts';
import type { Answer, Insight } from './answers.ts';
import { Problem, read } from './api.ts';
import type { Query } from './operations.ts';
import { drawOverview, overviewNames } from './overview.ts';
import { isOfToken, problemNote } from './problems.ts';
import { QuestionForm } from './question-form.ts';
import { keepAddressOnSkip, questionHash, readQuestion, sectionHref } from './question.ts';
import { drawSection, headingOf } from './sections.ts';
import { isSignedIn, mayCall, openSession } from './session.ts';
import { announce } from './shown.ts';
import { rowsOf } from './values.ts';

/** Pause where no answer says how many requests a second are allowed. */
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
  const form = new QuestionForm();
  const page = new InsightsPage(form);
  host.replaceChildren(form.element, ...page.elements);
  addEventListener('hashchange', () => page.follow());
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
      form.open();
      page.drawAll();
    },
    hasJourneys,
  );
}

/** Draws the answers to the question of the address, one after the other. */
class InsightsPage {
  readonly elements: readonly HTMLElement[];
  readonly #form: QuestionForm;
  readonly #overview = element('div', { id: 'overview' });
  readonly #contents = element('nav', { class: 'contents', 'aria-label': 'Questions' });
  readonly #progress = element('p', { class: 'small soft' });
  readonly #answers = element('div', {});
  /** Another question ends the run of the one before. */
  #run = 0;
  /** The question that is drawn, without the section. */
  #drawn = '';

  constructor(form: QuestionForm) {
    this.#form = form;
    this.elements = [this.#overview, this.#contents, this.#progress, this.#answers];
  }

  drawAll(): void {
    this.#drawn = '';
    this.follow();
  }

  follow(): void {
    if (!isSignedIn()) return;
    const asked = sectionHref('');
    if (asked === this.#drawn) {
      goToSection();
      return;
    }
    this.#drawn = asked;
    this.#form.fill();
    void this.#showAll();
  }

  async #showAll(): Promise<void> {
    this.#run += 1;
    const mine = this.#run;
    const isOver = () => mine !== this.#run;
    try {
      const currency = await currencyOf();
      const insights = (await listInsights()).sort((a, b) => placeOf(a) - placeOf(b));
      if (isOver()) return;
      const bodies = this.#drawSections(insights);
      await this.#answerAll(insights, bodies, currency, isOver);
    } catch (error) {
      if (isOver()) return;
      for (const part of [this.#overview, this.#contents, this.#answers]) part.replaceChildren();
      this.#progress.textContent = '';
      this.#answers.replaceChildren(problemNote(error));
    }
  }

  /** Draws the sections before they have answers; returns their bodies. */
  #drawSections(insights: readonly Insight[]): Map<Insight, HTMLElement> {
    const sections = insights.map(sectionOf);
    this.#contents.replaceChildren(
      ...insights.map((insight) =>
        element('a', { href: sectionHref(insight.name) }, headingOf(insight)),
      ),
    );
    this.#overview.replaceChildren(element('p', { class: 'loading' }, 'Loading…'));
    this.#answers.replaceChildren(...sections.map(({ section }) => section));
    goToSection();
    return new Map(sections.map(({ insight, body }) => [insight, body]));
  }

  async #answerAll(
    insights: readonly Insight[],
    bodies: ReadonlyMap<Insight, HTMLElement>,
    currency: string | undefined,
    isOver: () => boolean,
  ): Promise<void> {
    const known = new Map<string, Answer>();
    let refusal: HTMLElement | undefined;
    for (const [at, insight] of insights.entries()) {
      // Another question was asked in the meantime.
      if (isOver()) return;
      this.#progress.textContent = `${String(at)} of ${String(insights.length)} questions are answered.`;
      const body = bodies.get(insight);
      let pauseMs = usualPauseMs;
      try {
        const answer = await askPatiently(insight, queryFor(insight));
        if (isOver()) return;
        known.set(insight.name, answer);
        pauseMs = answer.pauseMs ?? usualPauseMs;
        body?.replaceChildren(...wideNote(insight), ...drawSection(insight, answer, currency));
      } catch (error) {
        if (isOver()) return;
        // Every other question would be refused for the same.
        if (error instanceof Problem && isForAll(error.code)) throw error;
        body?.replaceChildren(problemNote(error));
        refusal ??= problemNote(error);
      }
      if (insight.name === overviewNames.at(-1)) {
        const isWhole = overviewNames.every((name) => known.has(name));
        if (isWhole || !refusal) this.#overview.replaceChildren(...drawOverview(known, currency));
        else this.#overview.replaceChildren(refusal);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    if (isOver()) return;
    this.#progress.textContent = `All ${String(insights.length)} questions are answered.`;
    announce(this.#progress.textContent);
  }
}

function goToSection(): void {
  const { section } = readQuestion();
  if (/^[a-z-]+$/.test(section)) document.getElementById(section)?.scrollIntoView();
}

function queryFor({ filters }: Insight): Query {
  const question = readQuestion();
  const narrow = (name: string, id: string) =>
    id !== '' && filters.includes(name) && { [name]: id };
  return {
    period: question.period,
    ...(question.zone !== '' && { timezone: question.zone }),
    ...narrow(templateFilter, question.campaign),
    ...narrow(cohortFilter, question.cohort),
  };
}

function wideNote({ filters }: Insight): HTMLElement[] {
  const { campaign, cohort } = readQuestion();
  const lacking = [
    ...(campaign !== '' && !filters.includes(templateFilter) ? ['a campaign'] : []),
    ...(cohort !== '' && !filters.includes(cohortFilter) ? ['a cohort'] : []),
  ];
  if (lacking.length === 0) return [];
  const text = `This question is about the team: it has no filter for ${lacking.join(' or ')}.`;
  return [element('p', { class: 'note' }, text)];
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
  return { insight, section, body };
}

/** Whether a team has anything that could be drawn. */
async function hasJourneys(): Promise<boolean> {
  if (!mayCall('listJourneys')) return true;
  const { data } = await read('listJourneys', { query: { 'page[size]': '1' } });
  return rowsOf(data).length > 0;
}

void start();
