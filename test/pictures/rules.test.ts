import { afterAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { useService } from '../support/use-service.ts';
import { aBrowser } from '../widget/a-browser.ts';
import { focusFaults, layoutFaults } from './layout.ts';
import { recipientScenes } from './scenes.ts';
import type { Scene } from './scenes.ts';

// Rules for pages of recipients that axe cannot see (WCAG 2.2): titles, headings and landmarks,
// languages, the order of the keyboard, sizes, spacing, and what the system of a reader asks for.

const browser = await aBrowser();
const { api } = useService({ MAILBOX_PAGE: 'true' });
afterAll(() => browser?.close());

const phone = { width: 320, height: 640 };

async function opened(chromium: Browser, { path: at, waitFor }: Scene): Promise<Page> {
  const context = await chromium.newContext({ viewport: phone, forcedColors: 'none' });
  const page = await context.newPage();
  await page.goto(`${api.url}${at}`);
  await page
    .locator(waitFor ?? 'h1')
    .first()
    .waitFor();
  return page;
}

// As text: what runs in the browser knows another world than what is typed here.
const all = `const all = [];
  const collect = (root) => {
    for (const one of root.querySelectorAll('*')) {
      all.push(one);
      if (one.shadowRoot) collect(one.shadowRoot);
    }
  };
  collect(document);
  const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));`;

const outline = `(() => { ${all}
  const count = (selector) => seen.filter((one) => one.matches(selector)).length;
  return [document.title.trim() !== '', count('main, [role=main]'), /^[a-z]{2}/.test(document.documentElement.lang)];
})()`;

/** Controls of less than 24 pixels, links within a sentence left out (2.5.8). */
const small = `(() => { ${all}
  return seen.filter((one) => one.matches('button, input:not([type=hidden]), select, a.button, summary')).flatMap((one) => {
    if (one.tabIndex < 0) return [];
    const boxes = [one, ...(one.labels ?? [])].map((part) => part.getBoundingClientRect());
    const isLarge = boxes.some(({ width, height }) => width >= 24 && height >= 24);
    return isLarge ? [] : [one.localName + ' ' + (one.textContent || one.name)];
  });
})()`;

const moving = `(() => { ${all}
  return seen.filter((one) => {
    const { animationName, transitionDuration } = getComputedStyle(one);
    return animationName !== 'none' || transitionDuration.split(',').some((time) => parseFloat(time) > 0.01);
  }).map((one) => one.localName + '.' + one.className);
})()`;

/** Spacing that a reader may set (1.4.12). */
const space = `(() => { ${all}
  for (const root of [document, ...all.flatMap((one) => one.shadowRoot ?? [])]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-block-end: 2em !important }');
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
})()`;

const place = `(() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  if (!one || one === document.body) return null;
  const box = one.getBoundingClientRect();
  return { name: one.localName + ' ' + (one.name || one.textContent || '').trim().slice(0, 40), top: Math.round(box.top + scrollY), left: Math.round(box.left) };
})()`;

interface Place {
  name: string;
  top: number;
  left: number;
}

/** The places that Tab reaches until it leaves the page, and those that Shift+Tab reaches back. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Place[]> {
  const places: Place[] = [];
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await page.keyboard.press(key);
    const at = await page.evaluate<Place | null>(place);
    if (at === null) return places;
    places.push(at);
  }
  throw new Error(`the keyboard does not get out of ${page.url()}`);
}

async function faultsOf(page: Page, { name }: Scene): Promise<string[]> {
  const faults: string[] = [];
  const add = (rule: string, found: readonly string[]) => {
    faults.push(...found.map((fault) => `${name}, ${rule}: ${fault}`));
  };
  const found = await page.evaluate<[boolean, number, boolean]>(outline);
  add('title, one main, language', found.join() === 'true,1,true' ? [] : [found.join()]);
  const headings = await page.getByRole('heading', { level: 1 }).count();
  // A link to a journey that is not open has a status alone.
  if (headings !== (name.startsWith('journey-invalid') ? 0 : 1)) add('h1', [String(headings)]);
  add('size', await page.evaluate<string[]>(small));

  const forth = await walk(page, 'Tab');
  const back = await walk(page, 'Shift+Tab');
  const [there, again] = [forth, back.toReversed()].map((list) => list.map((one) => one.name));
  if (there?.join('|') !== again?.join('|')) add('order', [`${String(there)} / ${String(again)}`]);
  const isUp = (one: Place, at: number) => at > 0 && one.top < (forth[at - 1]?.top ?? 0) - 4;
  add(
    'order',
    forth.filter(isUp).map((one) => one.name),
  );

  await page.evaluate(space);
  add('spacing', await layoutFaults(page));
  await page.emulateMedia({ forcedColors: 'active' });
  add('forced colors', await focusFaults(page));
  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' });
  add('motion', await page.evaluate<string[]>(moving));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  if (!/255, 255, 255|0, 0, 0, 0/.test(paper)) add('print', [paper]);
  return faults;
}

if (browser) {
  const chromium = browser;
  test.each(['en', 'ar'] as const)('pages of recipients in %s keep the rules', async (language) => {
    const faults: string[] = [];
    const titles: string[] = [];
    for (const scene of await recipientScenes(api, language)) {
      const page = await opened(chromium, scene);
      titles.push(await page.title());
      faults.push(...(await faultsOf(page, scene)));
      await page.context().close();
    }
    expect(faults).toEqual([]);
    expect(titles.filter((title) => title.length < 5)).toEqual([]);
  });
} else {
  test('the rules of pages were not tried because Chromium is absent', () => {
    expect(browser).toBeUndefined();
  });
}

const planted = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Faults</title><style>
body{background:#111}.small{width:12px;height:12px;padding:0}.cut{width:9.5em;overflow:hidden;white-space:nowrap;font:16px monospace}
i{animation:turn 1s infinite}@keyframes turn{to{opacity:.5}}a:focus{outline:none!important}</style>
<h1>Faults</h1><main><button>First</button><a href="/x">Unseen</a><p class="cut">Just enough room</p><i>Moving</i></main>
<main><button tabindex="1">Last</button><button class="small">x</button></main>`;

test('faults that are planted are found', async () => {
  if (!browser) return;
  const page = await browser.newPage({ viewport: phone });
  await page.setContent(planted);
  const faults = await faultsOf(page, { name: 'planted', path: '' });
  expect([...new Set(faults.map((fault) => fault.split(/[,:] /)[1]))]).toEqual([
    ...['title', 'size', 'order', 'spacing', 'forced colors', 'motion', 'print'],
  ]);
  await page.close();
});
