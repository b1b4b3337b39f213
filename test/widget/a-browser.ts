import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { executable } from './chromium.ts';

/** Longest time of a click or of a wait for an element; a busy machine draws slowly. */
export const browserPatienceMs = 240_000;

/** A real Chromium; undefined where none is to be had. */
export async function aBrowser(): Promise<Browser | undefined> {
  const executablePath = executable();
  if (executablePath === undefined) return undefined;
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(browserPatienceMs);
    return context;
  };
  return browser;
}

export interface Site {
  /** http://<name>.localhost:<port>, which Chromium finds on this machine. */
  origin: string;
  /** The page of the site at "/". */
  html: string;
  /** A folder with the scripts of the site. */
  scripts?: string;
  close(): Promise<void>;
}

/** A site of a third party. */
export async function aSite(name: string): Promise<Site> {
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (site.scripts !== undefined && url.endsWith('.js')) {
      response.setHeader('Content-Type', 'text/javascript');
      response.end(readFileSync(path.join(site.scripts, url)));
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(url === '/' ? site.html : '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    origin: `http://${name}.localhost:${String(port)}`,
    html: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return site;
}

export const document = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bank</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body>${body}</body></html>`;

/** Renews a picture of the documentation if ONWARD_PICTURES is true. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['ONWARD_PICTURES'] !== 'true') return;
  await page.screenshot({ path: path.resolve('docs', 'images', name) });
}

// As text: what runs in the browser knows another world than what is typed here.
const nameOfFocused = `(() => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return (active?.labels?.[0] ?? active)?.textContent ?? '';
})()`;

/** The name of the focused element, within any shadow root. */
export const focused = (page: Page) => page.evaluate<string>(nameOfFocused);

/** Presses Tab until the focused element, within any shadow root, has this name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let pressed = 0; pressed < 30; pressed += 1) {
    await page.keyboard.press('Tab');
    const text = await focused(page);
    if (name.test(text)) return;
    seen.push(text.trim());
  }
  throw new Error(`nothing that is called ${String(name)}: ${seen.join(' | ')}`);
}
