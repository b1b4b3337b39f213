import { element } from '../../../widget/script/dom.ts';
import { actionButtons } from './actions.ts';
import { Problem, read } from './api.ts';
import type { DrawnPart, Item, List } from './declared.ts';
import type { Opened } from './list.ts';
import type { Ids } from './operations.ts';
import { problemNote, scopeNote } from './problems.ts';
import { repeat } from './repeating.ts';
import { missingScopeOf } from './session.ts';
import type { Row } from './values.ts';

/** Draws one thing: its title, actions and parts. Each part that is read has its own errors. */
export function openItem(
  item: Item,
  id: string,
  outer: Ids,
  openInner: (list: List, ids: Ids) => Opened,
  named: (title: string) => void,
): Opened {
  const ids = { ...outer, ...Object.fromEntries(item.params.map((param) => [param, id])) };
  const head = element('div', { class: 'item-head' });
  const parts = element('div', { class: 'parts' });
  const host = element(
    'section',
    { class: 'item' },
    element('p', { class: 'loading' }, 'Loading…'),
  );
  const inner: Opened[] = [];
  const shown = new Map<DrawnPart, { box: HTMLElement; text: string }>();
  let headText = '';
  let isDrawn = false;

  function drawHead(row: Row): void {
    const text = JSON.stringify(row);
    if (text === headText) return;
    headText = text;
    const title = item.title(row);
    named(title);
    const level = item.opens === 'view' ? 'h1' : 'h2';
    const heading = element(level, { tabindex: '-1' }, title, ' ', item.status?.(row) ?? '');
    const had = head.querySelector('h1, h2') === document.activeElement;
    head.replaceChildren(heading, ...actionButtons(item.actions ?? [], ids, row, load));
    if (had) heading.focus();
  }

  /** Makes the boxes of the parts once; what is in them may change. */
  function drawBoxes(): void {
    for (const part of item.parts) {
      const box = element('div', { class: 'part' });
      parts.append(box);
      if ('list' in part) {
        const opened = openInner(part.list, ids);
        inner.push(opened);
        box.append(element('h2', {}, part.title), opened.element);
      } else {
        shown.set(part, { box, text: '' });
        if (part.operation !== undefined && part.title !== '') {
          box.append(headingOf(part), element('p', { class: 'loading' }, 'Loading…'));
        }
      }
    }
    host.replaceChildren(head, parts);
    isDrawn = true;
  }

  const headingOf = ({ title }: DrawnPart) =>
    element(item.opens === 'view' ? 'h2' : 'h3', {}, title);

  async function drawPart(part: DrawnPart, row: Row): Promise<void> {
    const known = shown.get(part);
    if (!known) return;
    const { box } = known;
    if (part.isFor?.(row) === false) {
      box.replaceChildren();
      return;
    }
    const heading = part.title === '' ? [] : [headingOf(part)];
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
              ids: { ...ids, ...part.ids?.(row) },
              query: part.query?.(row) ?? {},
            });
      const text = JSON.stringify([answer, row]);
      if (text === known.text) return;
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

  async function load(): Promise<void> {
    try {
      const answer = await read(item.operation, { ids, query: item.query?.(id) ?? {} });
      const row = item.pick ? item.pick(answer, id) : answer;
      if (!row) {
        host.replaceChildren(
          element('p', { class: 'note' }, 'There is nothing with this id, or not yet.'),
        );
        return;
      }
      drawHead(row);
      if (!isDrawn) drawBoxes();
      await Promise.all([...shown.keys()].map((part) => drawPart(part, row)));
    } catch (error) {
      // It may not be shown any more: erased, or taken from this token.
      if (!isDrawn || error instanceof Problem) refuse(error);
    }
  }

  function refuse(error: unknown): void {
    const sentence = error instanceof Problem ? item.refusals?.[error.code] : undefined;
    const note =
      sentence === undefined ? problemNote(error) : element('p', { class: 'note' }, sentence);
    if (!isDrawn || sentence !== undefined) {
      for (const opened of inner) opened.close();
      host.replaceChildren(note);
    }
  }

  void load();
  const stop = repeat(item.refreshMs, load);
  return {
    element: host,
    refresh: load,
    close() {
      stop();
      for (const opened of inner) opened.close();
    },
  };
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
