import { element, unseen } from './dom.ts';
import { button } from './parts.ts';
import type { Model, PageSummary } from './model.ts';
import { filled } from './words.ts';
import type { Words } from './words.ts';

/** The steps of a journey with their progress; on a phone behind a button. */
export function stepsView(onChoose: (id: string) => void) {
  const count = element('p', { class: 'count', id: 'count' });
  const done = element('span', {});
  const bar = element('div', { class: 'bar', role: 'progressbar', 'aria-valuemin': '0' }, done);
  const list = element('ol', { id: 'steps' });
  const toggle = button(
    'quiet toggle',
    () => {
      openList(!view.classList.contains('is-open'));
    },
    '',
  );
  toggle.setAttribute('aria-controls', 'steps');
  const view = element('nav', { hidden: true }, count, bar, toggle, list);
  /** A step keeps its button while the list is drawn again: a press on a new one would be lost. */
  let items: readonly ReturnType<typeof itemOf>[] = [];

  function openList(isOpen: boolean): void {
    view.classList.toggle('is-open', isOpen);
    toggle.setAttribute('aria-expanded', String(isOpen));
  }

  function draw(
    { pages, locale = '' }: Pick<Model, 'pages'> & { locale?: string },
    shownId: string | undefined,
    words: Words,
  ): void {
    const doneCount = pages.filter(({ is_done }) => is_done).length;
    const here = pages.findIndex(({ id }) => id === shownId);
    const of = pages.length;
    const progress = filled(words.progress, { done: doneCount, of });
    view.setAttribute('aria-label', words.steps);
    view.hidden = of < 2;
    count.textContent = here < 0 ? progress : filled(words.step, { at: here + 1, of });
    bar.setAttribute('aria-label', words.steps);
    bar.setAttribute('aria-valuemax', String(of));
    bar.setAttribute('aria-valuenow', String(doneCount));
    bar.setAttribute('aria-valuetext', progress);
    done.style.inlineSize = `${String((100 * doneCount) / Math.max(of, 1))}%`;
    toggle.textContent = words.all_steps;
    const isSame =
      pages.length === items.length && pages.every(({ id }, at) => items[at]?.id === id);
    if (!isSame) {
      items = pages.map(({ id }) => itemOf(id));
      list.replaceChildren(...items.map((item) => item.element));
    }
    for (const [at, page] of pages.entries()) {
      items[at]?.draw(page, { at, of, isHere: page.id === shownId, locale }, words);
    }
  }

  function itemOf(id: string) {
    const mark = element('span', { class: 'mark', 'aria-hidden': 'true' });
    const [before, title, after] = [unseen(''), element('span'), unseen('')];
    const choose = () => {
      openList(false);
      onChoose(id);
    };
    const choice = button('', choose, mark, element('span', {}, before, title, after));
    const item = element('li', {}, choice);
    return {
      ...{ id, element: item },
      draw(
        page: PageSummary,
        { at, of, isHere, locale }: { at: number; of: number; isHere: boolean; locale: string },
        words: Words,
      ) {
        const state = page.is_locked ? words.locked : page.is_done ? words.done : words.open;
        mark.textContent = page.is_done && !page.is_locked ? '✓' : String(at + 1);
        item.className = [
          ...(isHere ? ['is-here'] : []),
          ...(page.is_locked ? ['is-locked'] : page.is_done ? ['is-done'] : []),
        ].join(' ');
        before.textContent = `${filled(words.step, { at: at + 1, of })}: `;
        title.lang = locale;
        title.textContent = page.title;
        after.textContent = ` (${state})`;
        if (isHere) choice.setAttribute('aria-current', 'step');
        else choice.removeAttribute('aria-current');
      },
    };
  }

  openList(false);
  return { view, draw };
}

/** Moves between steps. */
export interface Moves {
  /** Whether the step has something to do but to read it. */
  hasTask: boolean;
  back: (id: string) => void;
  /** To the next step; to the end without an id. */
  next: (id: string | undefined) => void;
}

/** Shows the buttons at the end of a step, and keeps those that stay, as the list of steps does. */
export function putEnds(place: HTMLElement, ends: readonly HTMLElement[]): void {
  const shown = [...place.querySelectorAll('button')];
  const isSame =
    shown.length === ends.length &&
    ends.every(({ textContent, dataset }, at) => {
      const old = shown[at];
      return old?.textContent === textContent && old.dataset['to'] === dataset['to'];
    });
  if (isSame) {
    for (const [at, { className }] of ends.entries()) shown[at]?.setAttribute('class', className);
    return;
  }
  const hadFocus = place.matches(':focus-within');
  place.replaceChildren(...ends);
  if (hadFocus) place.querySelector<HTMLElement>('.next')?.focus();
}

/** The buttons at the end of a step. The next step is the main action once this one is done. */
export function endsOf(
  { pages, locale }: Model,
  shownId: string,
  words: Words,
  { hasTask, back, next: goOn }: Moves,
): HTMLElement[] {
  const at = pages.findIndex(({ id }) => id === shownId);
  const [before, here, after] = [pages[at - 1], pages[at], pages[at + 1]];
  if (!here) return [];
  const look = hasTask && !here.is_done ? 'next second' : 'next';
  const next = button(look, () => goOn(after?.id), after ? words.next : words.finish);
  next.dataset['to'] = `${shownId} ${after?.id ?? ''}`;
  // One text, which a screen reader says without a pause: "Next: Your card".
  if (after)
    next.replaceChildren(
      element('span', {}, `${words.next}: `, element('b', { lang: locale }, after.title)),
    );
  if (!before) return [next];
  const previous = button('second', () => back(before.id), words.back);
  previous.dataset['to'] = `${shownId} ${before.id}`;
  return [previous, next];
}

/** The view after the last step: all is done, or what is still open. */
export function endView(
  { pages, locale }: Model,
  words: Words,
  level: number,
  onChoose: (id: string) => void,
): HTMLElement {
  const left = pages.filter(({ is_done }) => !is_done);
  const title = element(
    level === 1 ? 'h1' : 'h2',
    { class: 'title', tabindex: '-1' },
    left.length === 0 ? words.finished : words.remaining,
  );
  const text = element('p', {}, left.length === 0 ? words.finished_text : words.remaining_text);
  const items = left.map(({ id, title: name }) =>
    element(
      'li',
      {},
      button('quiet', () => onChoose(id), element('span', { lang: locale }, name)),
    ),
  );
  return element(
    'div',
    { class: 'page' },
    title,
    text,
    ...(items.length ? [element('ul', {}, ...items)] : []),
  );
}

/** The page that was seen last while it is open, else the first open one; undefined without one. */
export function firstOpen({ pages, journey: { current_page_id: last } }: Model) {
  const at = pages.findIndex(({ id }) => id === last);
  const isOpen = ({ is_done }: PageSummary) => !is_done;
  return (pages.slice(Math.max(at, 0)).find(isOpen) ?? pages.find(isOpen))?.id;
}

/** The view of a journey without pages. */
export function emptyView(
  { template, locale }: Model,
  words: Words,
  level: number,
  hasMore: boolean,
): HTMLElement {
  const name = level === 1 ? 'h1' : 'h2';
  const title = element(name, { class: 'title', tabindex: '-1', lang: locale }, template.name);
  return element(
    'div',
    { class: 'page' },
    title,
    ...(hasMore ? [] : [element('p', {}, words.nothing)]),
  );
}
