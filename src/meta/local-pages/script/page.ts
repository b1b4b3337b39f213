import { element } from '../../../widget/script/dom.ts';
import type { List } from './declared.ts';
import { openItem } from './item.ts';
import { openList } from './list.ts';
import type { ListAddress, Opened } from './list.ts';
import type { Ids } from './operations.ts';
import { keepAddressOnSkip } from './question.ts';
import { hashOf, readRoute } from './route.ts';
import type { Step } from './route.ts';
import { isSignedIn, openSession } from './session.ts';
import { keepTimesCurrent } from './shown.ts';

/** Draws a declared page, and draws again what the address of the page opens or closes. */
export function startPage(...roots: readonly [List, ...List[]]): void {
  const host = document.querySelector<HTMLElement>('#page');
  const session = document.querySelector<HTMLElement>('#session');
  const intro = document.querySelector<HTMLElement>('#intro');
  if (!host || !session || !intro) return;

  const main = element('div', { class: 'main' });
  const panel = element('aside', { class: 'panel', 'aria-label': 'Details', hidden: true });
  const crumbs = element('nav', { class: 'crumbs', 'aria-label': 'Breadcrumb', hidden: true });
  host.replaceChildren(crumbs, element('div', { class: 'split' }, main, panel));
  const names = new Map<string, string>();
  let opened: { main?: Opened; panel?: Opened } = {};
  let keys = { main: '', panel: '' };
  let lastRow = '';
  const covers = matchMedia('(max-width: 63.99rem)');
  covers.addEventListener('change', () => {
    leaveOut(!panel.hidden);
  });

  /** The query of the filters stays in the address while something is opened or closed. */
  const addressOf = (steps: readonly Step[], list: List): ListAddress => ({
    chosen: (filter) => readRoute(roots).query.get(`${list.name}.${filter}`) ?? '',
    choose(filter, value) {
      const route = readRoute(roots);
      if (value === '') route.query.delete(`${list.name}.${filter}`);
      else route.query.set(`${list.name}.${filter}`, value);
      history.replaceState(undefined, '', hashOf(route));
      keys = { ...keys, main: mainKeyOf() };
    },
    hrefOf: (id) => hrefOf([...steps, { list, id }]),
  });

  const openInner = (steps: readonly Step[]) => (list: List, ids: Ids) =>
    openList(list, ids, addressOf(steps, list));

  const hrefOf = (steps: readonly Step[]) => hashOf({ ...readRoute(roots), steps });
  const mainKeyOf = () => hrefOf(readRoute(roots).steps.filter(isView));

  function drawMain(steps: readonly Step[]): void {
    opened.main?.close();
    const last = steps.at(-1);
    intro?.toggleAttribute('hidden', last !== undefined);
    if (!last?.list.item) {
      const { root } = readRoute(roots);
      opened.main = openList(root, {}, addressOf([], root));
    } else {
      const named = (title: string) => {
        names.set(last.id, title);
        drawCrumbs(steps);
      };
      const outer = idsOf(steps.slice(0, -1));
      opened.main = openItem(last.list.item, last.id, outer, openInner(steps), named);
    }
    main.replaceChildren(...(last ? [] : tabs()), opened.main.element);
    drawCrumbs(steps);
  }

  function tabs(): HTMLElement[] {
    if (roots.length === 1) return [];
    const route = readRoute(roots);
    const links = roots.map((root) =>
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

  function drawCrumbs(steps: readonly Step[]): void {
    crumbs.hidden = steps.length === 0;
    const { root } = readRoute(roots);
    const links = steps.map((_, at) =>
      element(
        'a',
        { href: hrefOf(steps.slice(0, at)) },
        at === 0 ? root.title : (names.get(steps[at - 1]?.id ?? '') ?? '…'),
      ),
    );
    const here = element(
      'span',
      { 'aria-current': 'page' },
      names.get(steps.at(-1)?.id ?? '') ?? '…',
    );
    crumbs.replaceChildren(...links.flatMap((link) => [link, ' / ']), here);
  }

  function drawPanel(step: Step | undefined, views: readonly Step[]): void {
    opened.panel?.close();
    const isOpen = step?.list.item !== undefined;
    document.body.classList.toggle('has-panel', isOpen);
    leaveOut(isOpen);
    panel.hidden = !isOpen;
    opened = { ...(opened.main && { main: opened.main }) };
    if (!step?.list.item) {
      panel.replaceChildren();
      focusRow(lastRow);
      return;
    }
    const href = hrefOf(views);
    lastRow = hrefOf([...views, step]);
    const close = element('a', { href, class: 'close' }, 'Close');
    opened.panel = openItem(
      step.list.item,
      step.id,
      idsOf(views),
      openInner([...views, step]),
      () => undefined,
    );
    panel.replaceChildren(close, opened.panel.element);
    close.focus({ preventScroll: true });
    panel.scrollTop = 0;
  }

  /** On a phone the panel covers the page, which is out of reach as long as it is open. */
  function leaveOut(isOpen: boolean): void {
    const isCovered = isOpen && covers.matches;
    const behind = [main, crumbs, session, intro, document.querySelector<HTMLElement>('header')];
    for (const one of behind) one?.toggleAttribute('inert', isCovered);
  }

  function focusRow(href: string): void {
    if (href === '') return;
    const row = [...main.querySelectorAll<HTMLElement>('a.open')].find(
      (one) => one.getAttribute('href') === href,
    );
    row?.focus({ preventScroll: true });
    lastRow = '';
  }

  function markRow(): void {
    for (const row of main.querySelectorAll('a.open')) {
      if (row.getAttribute('href') === lastRow) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  function draw(): void {
    if (!isSignedIn()) return;
    const { steps } = readRoute(roots);
    const views = steps.filter(isView);
    const inPanel = steps.find((step) => !isView(step));
    const key = mainKeyOf();
    const panelKey = inPanel
      ? `${views.map(({ id }) => id).join(' ')} ${inPanel.list.name} ${inPanel.id}`
      : '';
    if (key !== keys.main) drawMain(views);
    if (panelKey !== keys.panel) drawPanel(inPanel, views);
    keys = { main: key, panel: panelKey };
    markRow();
  }

  addEventListener('hashchange', draw);
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden || document.querySelector('dialog')) return;
    panel.querySelector<HTMLElement>('a.close')?.click();
  });
  keepTimesCurrent();
  keepAddressOnSkip();
  void openSession(session, () => {
    keys = { main: ' ', panel: ' ' };
    draw();
  });
}

const isView = ({ list }: Step) => list.item?.opens === 'view';

/** Path parameters of the opened things, the inner ones over the outer ones. */
const idsOf = (steps: readonly Step[]): Ids =>
  Object.fromEntries(
    steps.flatMap(({ list, id }) => (list.item?.params ?? []).map((param) => [param, id])),
  );
