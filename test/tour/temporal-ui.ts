import { hostname } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { environmentNames } from '../support/environment.ts';
import { aBrowser, browserPatienceMs } from '../widget/a-browser.ts';

const uiUrl = process.env[environmentNames.temporalUiUrl];

/** Chromium for the Temporal UI; undefined where there is none, or where the tests lack the UI. */
export const aBrowserForTheUi = async (): Promise<Browser | undefined> =>
  uiUrl === undefined ? undefined : aBrowser();

/** A usual window. */
export async function aWindow(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1_440, height: 900 },
    colorScheme: 'light',
    timezoneId: 'UTC',
  });
  return context.newPage();
}

const pathOf = (namespace: string, rest = 'workflows') =>
  `${uiUrl ?? ''}/namespaces/${namespace}/${rest}`;

/** Opens the list of workflows; two clicks from a query lead to a workflow. */
export async function findWorkflow(
  page: Page,
  namespace: string,
  { query, workflowId }: { query?: string; workflowId: string },
): Promise<void> {
  // Temporal lists a workflow some moments after its start, and an earlier run further down. A list
  // that is renewed while it is clicked may lose the click.
  await tryAgainUntil(
    () => page.goto(pathOf(namespace)),
    async (timeout) => {
      await page.getByTestId('toggle-manual-query').click({ timeout });
      const field = page.getByTestId('manual-search-input');
      await field.fill(query ?? `WorkflowId="${workflowId}"`, { timeout });
      await field.press('Enter');
      const link = page.getByRole('link', { name: workflowId, exact: true });
      await link.first().click({ timeout });
      await page.getByRole('heading', { name: workflowId, level: 1 }).waitFor({ timeout });
    },
  );
}

/**
 * One click: what a workflow says of itself. A page asks the workflow once, and one that has just
 * begun may not have said it yet.
 */
export const detailsShown = (page: Page, words: string | RegExp): Promise<string> =>
  readAgainUntil(page, async (timeout) => {
    await page.getByRole('tab', { name: 'User Metadata' }).click();
    // Texts of workflows are shown in frames of their own, this one last.
    const details = page.locator('iframe').last().contentFrame().getByText(words);
    await details.waitFor({ timeout });
    return details.innerText();
  });

/** Reads a page again that does not show yet what it is read for. */
const readAgainUntil = <T>(page: Page, look: (timeoutMs: number) => Promise<T>): Promise<T> =>
  tryAgainUntil((tries) => (tries === 0 ? Promise.resolve() : page.reload()), look);

/** Looks at a page that is opened before each look, until what is looked for is there. */
async function tryAgainUntil<T>(
  open: (tries: number) => Promise<unknown>,
  look: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const most = 10;
  for (let tries = 0; ; tries += 1) {
    await open(tries);
    try {
      return await look(browserPatienceMs / most);
    } catch (error) {
      if (tries + 1 === most) throw error;
    }
  }
}

/** Requests a cancellation; resolves at the second click, which confirms it. */
export async function cancelByClicks(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Request Cancellation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
}

/** Opens the form of an Update, as the workflow describes it. */
export async function chooseUpdate(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More Actions' }).click();
  await page.getByRole('menuitem', { name: 'Send an Update' }).click();
  await page.getByRole('button', { name: 'Select an Update' }).click();
  await page.getByRole('option', { name }).click();
}

/** Sends the Update of the open form with this data. */
export async function submitUpdate(page: Page, data: object): Promise<void> {
  const form = page.getByRole('dialog');
  await form.locator('[data-language=json]').click();
  await page.keyboard.press('ControlOrMeta+A');
  // Text that is typed would get closing brackets and quotation marks of the editor.
  await page.keyboard.insertText(JSON.stringify(data));
  await form.getByRole('button', { name: 'Submit' }).click();
}

/** Three clicks: the versions of the workers of a deployment. */
export async function openVersions(page: Page, namespace: string, name: string): Promise<void> {
  await tryAgainUntil(
    () => page.goto(pathOf(namespace)),
    async (timeout) => {
      await page.getByRole('link', { name: 'Workers', exact: true }).click({ timeout });
      await page.getByRole('tab', { name: 'Deployments' }).click({ timeout });
      // Each of its workers links to it as well.
      await page.getByRole('link', { name, exact: true }).first().click({ timeout });
      await page.getByRole('heading', { name, level: 1 }).waitFor({ timeout });
    },
  );
}

/** A version of the page that `openVersions` opened, once it has this status. */
export const versionShown = (page: Page, version: string, status: string): Promise<void> =>
  readAgainUntil(page, (timeout) =>
    page.getByRole('row', { name: version }).getByText(status).first().waitFor({ timeout }),
  );

/**
 * Renews a picture of the documentation if ONWARD_PICTURES is true: the page without its navigation,
 * `height` pixels of it. A name of this machine or an address of a person must not be in it.
 */
export async function takePicture(page: Page, name: string, height: number): Promise<void> {
  const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()));
  const found = [hostname(), '@example.com'].filter((one) => texts.join('\n').includes(one));
  if (found.length > 0) throw new Error(`the page shows ${found.join(' and ')}`);
  if (process.env['ONWARD_PICTURES'] !== 'true') return;
  const box = await page.getByRole('main').boundingBox();
  if (!box) throw new Error('the page is empty');
  // Nothing is to be highlighted, and the first line of a page leads back to the list.
  await page.mouse.move(0, 0);
  const clip = { x: box.x, y: box.y + 56, width: box.width, height };
  await page.screenshot({ path: path.resolve('docs', 'images', name), clip });
}
