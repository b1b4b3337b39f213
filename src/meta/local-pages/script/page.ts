import { element } from '../../../widget/script/dom.ts';
import type { List } from './declared.ts';
import type { ListAddress } from './filters.ts';
import { DrawnItem } from './item.ts';
import { openList } from './list.ts';
import type { Opened } from './list.ts';
import type { Ids } from './operations.ts';
import { keepAddressOnSkip } from './question.ts';
import { hashOf, readRoute } from './route.ts';
import type { Route, Step } from './route.ts';
import { isSignedIn, openSession } from './session.ts';
import { keepTimesCurrent } from './shown.ts';

/** Draws a declared page, and draws again what the address of the page opens or closes. */
export function startPage(...roots: readonly [List, ...List[]]): void {
  const host = document.querySelector<HTMLElement>('#page');
  const session = document.querySelector<HTMLElement>('#session');
  const intro = document.querySelector<HTMLElement>('#intro');
  if (!host || !session || !intro) return;
  const page = new DeclaredPage(roots, session, intro);
  host.replaceChildren(...page.elements);
  addEventListener('hashchange', () => page.draw());
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !document.querySelector('dialog')) page.closePanel();
  });
  keepTimesCurrent();
  keepAddressOnSkip();
  void openSession(session, () => page.drawAll());
}

class DeclaredPage {
  readonly elements: readonly HTMLElement[];
  readonly #roots: readonly [List, ...List[]];
  readonly #session: HTMLElement;
  readonly #intro: HTMLElement;
  readonly #main = element('div', { class: 'main' });
  readonly #panel = element('aside', { class: 'panel', 'aria-label': 'Details', hidden: true });
  readonly #crumbs = element('nav', {
    class: 'crumbs',
    'aria-label': 'Breadcrumb',
    hidden: true,
  });
  readonly #covers = matchMedia('(max-width: 63.99rem)');
  readonly #names = new Map<string, string>();
  readonly #opened: { main?: Opened; panel?: Opened } = {};
  #keys = { main: '', panel: '' };
  #lastRow = '';

  constructor(roots: readonly [List, ...List[]], session: HTMLElement, intro: HTMLElement) {
    this.#roots = roots;
    this.#session = session;
    this.#intro = intro;
    this.elements = [this.#crumbs, element('div', { class: 'split' }, this.#main, this.#panel)];
    this.#covers.addEventListener('change', () => this.#leaveOut(!this.#panel.hidden));
  }

  drawAll(): void {
    this.#keys = { main: ' ', panel: ' ' };
    this.draw();
  }

  draw(): void {
    if (!isSignedIn()) return;
    const { steps } = this.#route();
    const views = steps.filter(isView);
    const inPanel = steps.find((step) => !isView(step));
    const key = this.#mainKey();
    const panelKey = inPanel
      ? `${views.map(({ id }) => id).join(' ')} ${inPanel.list.name} ${inPanel.id}`
      : '';
    if (key !== this.#keys.main) this.#drawMain(views);
    if (panelKey !== this.#keys.panel) this.#drawPanel(inPanel, views);
    this.#keys = { main: key, panel: panelKey };
    this.#markRow();
  }

  closePanel(): void {
    if (!this.#panel.hidden) this.#panel.querySelector<HTMLElement>('a.close')?.click();
  }

  #drawMain(steps: readonly Step[]): void {
    this.#opened.main?.close();
    const last = steps.at(-1);
    this.#intro.toggleAttribute('hidden', last !== undefined);
    const opened = this.#openMain(last, steps);
    this.#opened.main = opened;
    this.#main.replaceChildren(...(last ? [] : this.#tabs()), opened.element);
    this.#drawCrumbs(steps);
  }

  #openMain(last: Step | undefined, steps: readonly Step[]): Opened {
    if (!last?.list.item) {
      const { root } = this.#route();
      return openList(root, {}, this.#addressOf([], root));
    }
    const named = (title: string) => {
      this.#names.set(last.id, title);
      this.#drawCrumbs(steps);
    };
    const outer = idsOf(steps.slice(0, -1));
    return new DrawnItem(last.list.item, last.id, outer, this.#openInner(steps), named);
  }

  #openInner(steps: readonly Step[]): (list: List, ids: Ids) => Opened {
    return (list, ids) => openList(list, ids, this.#addressOf(steps, list));
  }

  /** The query of the filters stays in the address while something is opened or closed. */
  #addressOf(steps: readonly Step[], list: List): ListAddress {
    return {
      chosen: (filter) => this.#route().query.get(`${list.name}.${filter}`) ?? '',
      choose: (filter, value) => {
        const route = this.#route();
        if (value === '') route.query.delete(`${list.name}.${filter}`);
        else route.query.set(`${list.name}.${filter}`, value);
        history.replaceState(undefined, '', hashOf(route));
        this.#keys = { ...this.#keys, main: this.#mainKey() };
      },
      hrefOf: (id) => this.#hrefOf([...steps, { list, id }]),
    };
  }

  #tabs(): HTMLElement[] {
    if (this.#roots.length === 1) return [];
    const route = this.#route();
    const links = this.#roots.map((root) =>
      element(
        'a',
        {
          href: hashOf({ ...route, root, steps: [] }),
          ...(root === route.root && { 'aria-current': 'page' }),
        },
        root.title,
      ),
    );
    return [element('nav', { class: 'tabs', 'aria-label': 'Lists' }, ...links)];
  }

  #drawCrumbs(steps: readonly Step[]): void {
    const names = this.#names;
    this.#crumbs.hidden = steps.length === 0;
    const { root } = this.#route();
    const links = steps.map((_, at) =>
      element(
        'a',
        { href: this.#hrefOf(steps.slice(0, at)) },
        at === 0 ? root.title : (names.get(steps[at - 1]?.id ?? '') ?? '…'),
      ),
    );
    const here = element(
      'span',
      { 'aria-current': 'page' },
      names.get(steps.at(-1)?.id ?? '') ?? '…',
    );
    this.#crumbs.replaceChildren(...links.flatMap((link) => [link, ' / ']), here);
  }

  #drawPanel(step: Step | undefined, views: readonly Step[]): void {
    const panel = this.#panel;
    this.#opened.panel?.close();
    const isOpen = step?.list.item !== undefined;
    document.body.classList.toggle('has-panel', isOpen);
    this.#leaveOut(isOpen);
    panel.hidden = !isOpen;
    delete this.#opened.panel;
    if (!step?.list.item) {
      panel.replaceChildren();
      this.#focusRow(this.#lastRow);
      return;
    }
    const href = this.#hrefOf(views);
    this.#lastRow = this.#hrefOf([...views, step]);
    const close = element('a', { href, class: 'close' }, 'Close');
    const { item } = step.list;
    const openInner = this.#openInner([...views, step]);
    const opened = new DrawnItem(item, step.id, idsOf(views), openInner, () => undefined);
    this.#opened.panel = opened;
    panel.replaceChildren(close, opened.element);
    close.focus({ preventScroll: true });
    panel.scrollTop = 0;
  }

  /** On a phone the panel covers the page, which is out of reach as long as it is open. */
  #leaveOut(isOpen: boolean): void {
    const isCovered = isOpen && this.#covers.matches;
    const header = document.querySelector<HTMLElement>('header');
    const behind = [this.#main, this.#crumbs, this.#session, this.#intro, header];
    for (const one of behind) one?.toggleAttribute('inert', isCovered);
  }

  #focusRow(href: string): void {
    if (href === '') return;
    const row = [...this.#main.querySelectorAll<HTMLElement>('a.open')].find(
      (one) => one.getAttribute('href') === href,
    );
    row?.focus({ preventScroll: true });
    this.#lastRow = '';
  }

  #markRow(): void {
    for (const row of this.#main.querySelectorAll('a.open')) {
      if (row.getAttribute('href') === this.#lastRow) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  #route(): Route {
    return readRoute(this.#roots);
  }

  #mainKey(): string {
    return this.#hrefOf(this.#route().steps.filter(isView));
  }

  #hrefOf(steps: readonly Step[]): string {
    return hashOf({ ...this.#route(), steps });
  }
}

const isView = ({ list }: Step) => list.item?.opens === 'view';

/** Path parameters of the opened things, the inner ones over the outer ones. */
const idsOf = (steps: readonly Step[]): Ids =>
  Object.fromEntries(
    steps.flatMap(({ list, id }) => (list.item?.params ?? []).map((param) => [param, id])),
  );
