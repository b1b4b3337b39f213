import { element } from '../../../widget/script/dom.ts';
import { actionButtons } from './actions.ts';
import { Problem, read } from './api.ts';
import type { DrawnPart, Item, List } from './declared.ts';
import type { Opened } from './list.ts';
import type { Ids } from './operations.ts';
import { problemNote, scopeNote } from './problems.ts';
import { repeat, untilReleased } from './repeating.ts';
import { missingScopeOf } from './session.ts';
import type { Row } from './values.ts';

/** Draws one thing: its title, actions and parts. Each part that is read has its own errors. */
export class DrawnItem implements Opened {
  readonly element = element(
    'section',
    { class: 'item' },
    element('p', { class: 'loading' }, 'Loading…'),
  );
  readonly #item: Item;
  readonly #id: string;
  readonly #ids: Ids;
  readonly #openInner: (list: List, ids: Ids) => Opened;
  readonly #named: (title: string) => void;
  readonly #head = element('div', { class: 'item-head' });
  readonly #parts = element('div', { class: 'parts' });
  readonly #inner: Opened[] = [];
  readonly #shown = new Map<DrawnPart, { box: HTMLElement; text: string }>();
  readonly #stop: () => void;
  #headText = '';
  #isDrawn = false;

  constructor(
    item: Item,
    id: string,
    outer: Ids,
    openInner: (list: List, ids: Ids) => Opened,
    named: (title: string) => void,
  ) {
    this.#item = item;
    this.#id = id;
    this.#ids = { ...outer, ...Object.fromEntries(item.params.map((param) => [param, id])) };
    this.#openInner = openInner;
    this.#named = named;
    void this.refresh();
    this.#stop = repeat(item.refreshMs, () => this.refresh());
  }

  close(): void {
    this.#stop();
    for (const opened of this.#inner) opened.close();
  }

  async refresh(): Promise<void> {
    const { operation, query, pick } = this.#item;
    try {
      const answer = await read(operation, { ids: this.#ids, query: query?.(this.#id) ?? {} });
      await untilReleased();
      const row = pick ? pick(answer, this.#id) : answer;
      if (!row) {
        this.element.replaceChildren(
          element('p', { class: 'note' }, 'There is nothing with this id, or not yet.'),
        );
        return;
      }
      this.#drawHead(row);
      if (!this.#isDrawn) this.#drawBoxes();
      await Promise.all([...this.#shown.keys()].map((part) => this.#drawPart(part, row)));
    } catch (error) {
      // It may not be shown any more: erased, or taken from this token.
      if (!this.#isDrawn || error instanceof Problem) this.#refuse(error);
    }
  }

  #drawHead(row: Row): void {
    const item = this.#item;
    const text = JSON.stringify(row);
    if (text === this.#headText) return;
    this.#headText = text;
    const title = item.title(row);
    this.#named(title);
    const level = item.opens === 'view' ? 'h1' : 'h2';
    const heading = element(level, { tabindex: '-1' }, title, ' ', item.status?.(row) ?? '');
    const had = this.#head.querySelector('h1, h2') === document.activeElement;
    const again = () => this.refresh();
    const buttons = actionButtons(item.actions ?? [], this.#ids, row, again);
    this.#head.replaceChildren(heading, ...buttons);
    if (had) heading.focus();
  }

  /** Makes the boxes of the parts once; what is in them may change. */
  #drawBoxes(): void {
    for (const part of this.#item.parts) {
      const box = element('div', { class: 'part' });
      this.#parts.append(box);
      if ('list' in part) {
        const opened = this.#openInner(part.list, this.#ids);
        this.#inner.push(opened);
        box.append(element('h2', {}, part.title), opened.element);
      } else {
        this.#shown.set(part, { box, text: '' });
        if (part.operation !== undefined && part.title !== '') {
          box.append(this.#headingOf(part), element('p', { class: 'loading' }, 'Loading…'));
        }
      }
    }
    this.element.replaceChildren(this.#head, this.#parts);
    this.#isDrawn = true;
  }

  #headingOf({ title }: DrawnPart): HTMLElement {
    return element(this.#item.opens === 'view' ? 'h2' : 'h3', {}, title);
  }

  async #drawPart(part: DrawnPart, row: Row): Promise<void> {
    const known = this.#shown.get(part);
    if (!known) return;
    const { box } = known;
    if (part.isFor?.(row) === false) {
      box.replaceChildren();
      return;
    }
    const heading = part.title === '' ? [] : [this.#headingOf(part)];
    try {
      const { operation } = part;
      const missing = operation === undefined ? undefined : missingScopeOf(operation);
      if (missing !== undefined) {
        box.replaceChildren(...heading, scopeNote([missing]));
        return;
      }
      const answer =
        operation === undefined
          ? row
          : await read(operation, {
              ids: { ...this.#ids, ...part.ids?.(row) },
              query: part.query?.(row) ?? {},
            });
      const text = JSON.stringify([answer, row]);
      if (text === known.text) return;
      await untilReleased();
      known.text = text;
      const content = part.draw(answer, row).filter((one) => one !== '');
      keepOpen(box, () => {
        box.replaceChildren(...(content.length === 0 ? [] : heading), ...content);
      });
    } catch (error) {
      known.text = '';
      box.replaceChildren(...heading, problemNote(error));
    }
  }

  #refuse(error: unknown): void {
    const sentence = error instanceof Problem ? this.#item.refusals?.[error.code] : undefined;
    const note =
      sentence === undefined ? problemNote(error) : element('p', { class: 'note' }, sentence);
    if (!this.#isDrawn || sentence !== undefined) {
      for (const opened of this.#inner) opened.close();
      this.element.replaceChildren(note);
    }
  }
}

/** Draws again, and leaves what the reader has opened, scrolled to and focused. */
function keepOpen(box: HTMLElement, drawAgain: () => void): void {
  const summaries = (only: boolean) =>
    [...box.querySelectorAll('details')].filter(({ open }) => open || !only);
  const nameOf = (one: HTMLElement) => one.querySelector('summary')?.dataset['key'] ?? '';
  const wasOpen = new Set(summaries(true).map(nameOf));
  const wasDrawn = box.childElementCount > 0;
  const labeled = '[aria-label], summary, a, button';
  const focused = [...box.querySelectorAll(labeled)].findIndex(
    (one) => one === document.activeElement,
  );
  drawAgain();
  if (!wasDrawn) return;
  for (const one of summaries(false)) {
    if (wasOpen.has(nameOf(one))) one.open = true;
  }
  const again = [...box.querySelectorAll<HTMLElement>(labeled)][focused];
  again?.focus();
}
