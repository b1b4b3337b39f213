import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildSiteOnce } from '../site/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { useService } from '../support/use-service.ts';
import { aBrowser } from '../widget/a-browser.ts';
import { expectAccessible } from '../widget/accessible.ts';
import { focusFaults, layoutFaults } from './layout.ts';
import { otherScenes, pageKey, recipientScenes, teamScenes } from './scenes.ts';
import type { Scene } from './scenes.ts';

// Every page that people see, on a screen and on a phone, light and dark, enlarged and from right to
// left. `npm run pictures` also takes pictures of them.

const browser = await aBrowser();
const { api } = useService(
  {
    ...{ MAILBOX_PAGE: 'true', MAILBOX_SENDS: 'true', REQUEST_LOG: 'true' },
    ...{ WEBHOOK_RETRY_SCHEDULE_SECONDS: '0', WEBHOOK_LANE_IDLE_SECONDS: '1' },
  },
  { local: { teams: () => [], temporalUiUrl: () => undefined, pageKey } },
);
afterAll(() => browser?.close());

const takesPictures = process.env['ONWARD_PICTURES'] === 'true';
const folder = path.resolve('docs', 'images', 'pages');
const [screen, phone] = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
];
/** A screen enlarged to 200 %, and the narrowest page that WCAG asks for (1.4.10). */
const enlarged = [
  { width: 720, height: 450 },
  { width: 320, height: 480 },
];

async function opened(chromium: Browser, { path: at, token, waitFor, status = 200 }: Scene) {
  const context = await chromium.newContext({ viewport: screen, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const answer = await page.goto(`${api.url}${at}`);
  expect([at, answer?.status()]).toEqual([at, status]);
  if (token !== undefined) {
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
  }
  await page
    .locator(waitFor ?? 'h1')
    .first()
    .waitFor();
  await eventually(
    () => page.locator('.loading').count(),
    (count) => count === 0,
  );
  return page;
}

/** Pages whose dark picture on a screen shows nothing that another does not. */
const isLikeAnother =
  /^(?:docs-(?:reference|guide|event|error|missing)|signed-out|portal-ended|requests-details|batches-failed|campaigns-journey)-1440-dark$/;

async function picture(page: Page, name: string): Promise<void> {
  if (!takesPictures || isLikeAnother.test(name)) return;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
  await session.detach();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
}

/** Faults of a page in all forms; pictures by the way. */
async function faultsOf(page: Page, { name }: Scene): Promise<string[]> {
  const faults: string[] = [];
  const look = async (form: string) => {
    for (const fault of await layoutFaults(page)) faults.push(`${name}, ${form}: ${fault}`);
  };
  for (const [device, size] of Object.entries({ screen, phone })) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await picture(page, `${name}-${String(size.width)}-${colorScheme}`);
    }
    await look(device);
    for (const fault of await focusFaults(page)) faults.push(`${name}, ${device}: ${fault}`);
    await page.evaluate('document.activeElement?.blur()');
    const direction = await page.evaluate<string>('document.documentElement.dir');
    await page.evaluate('document.documentElement.dir = "rtl"');
    await look(`${device}, from right to left`);
    await page.evaluate(`document.documentElement.dir = ${JSON.stringify(direction)}`);
  }
  for (const size of enlarged) {
    await page.setViewportSize(size);
    await look(`${String(size.width)} pixels`);
  }
  return faults;
}

async function expectGood(chromium: Browser, scenes: readonly Scene[]): Promise<void> {
  const faults: string[] = [];
  for (const scene of scenes) {
    const page = await opened(chromium, scene);
    faults.push(...(await faultsOf(page, scene)));
    await page.context().close();
  }
  expect(faults).toEqual([]);
}

if (browser) {
  const chromium = browser;
  test.each(['en', 'ar'] as const)(
    'pages of recipients in %s are laid out well',
    async (language) => {
      await expectGood(chromium, await recipientScenes(api, language));
    },
  );
  test('pages of teams are laid out well', async () => {
    const receiver = await startReceiver();
    await expectGood(chromium, await teamScenes(api, receiver));
    await receiver.stop();
  });
  test('pages of the mailbox, of the site and of errors are laid out well', async () => {
    await buildSiteOnce();
    await expectGood(chromium, await otherScenes(api));
  });
} else {
  test('4 promises about the layout of pages were skipped because Chromium is absent', () => {
    console.warn('The pages were not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}

const planted = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Faults</title><style>
body{margin:0}.wide{width:3000px}.cut{width:60px;overflow:hidden;white-space:nowrap}.low{height:10px;overflow:hidden}
.over{position:absolute;top:300px;left:0}a.unseen:focus{outline:none}</style>
<p class="wide">Wide</p><p class="cut">A text that is much too long</p><p class="low">A text<br>of two lines</p>
<p class="over">Below this</p><p class="over">Above that</p><button class="over" style="top:400px">One</button>
<button class="over" style="top:410px">Two</button><a class="unseen" href="/x">Unseen</a><a href="/y">Seen</a>`;

test('faults that are planted are found', async () => {
  if (!browser) return;
  const page = await browser.newPage({ viewport: screen });
  await page.setContent(planted);
  expect(await layoutFaults(page)).toEqual([
    'scrolls sideways: 3000 of 1440, as p "Wide"',
    'text is cut: p "A text that is much too long"',
    expect.stringContaining('text is cut below: p "A text'),
    'overlap: p "Below this" and p "Above that"',
    'overlap: button "One" and button "Two"',
  ]);
  expect(await focusFaults(page)).toEqual(['focus is not seen: a "Unseen"']);
  await page.close();
});
