import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashOf, readReleases } from '../../src/widget/site/script.ts';
import { untilTrue } from '../support/eventually.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { aBrowser, aSite, document } from '../widget/a-browser.ts';

const browser = await aBrowser();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  await browser?.close();
  await api.stop();
});

test('the address of a pinned script contains its hash and its content is immutable', async () => {
  const { body: pin } = await api.call('GET', '/widget.json');
  const at = new URL(String(pin.src)).pathname;
  const script = await api.call('GET', at);
  const text = String(script.body);
  expect(text).toBe((await api.call('GET', '/widget.js')).body);
  expect(at).toBe(`/widget/${createHash('sha256').update(text).digest('hex')}.js`);
  const digest = createHash('sha384').update(text).digest('base64');
  expect(pin.integrity).toBe(`sha384-${digest}`);
  expect(pin.html).toContain(`src="${String(pin.src)}" integrity="sha384-${digest}" crossorigin`);
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'content-type': 'text/javascript; charset=utf-8',
  });
});

test('an upgrade retains the script of a release that pages have pinned', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'releases-'));
  const text = '(() => undefined)();\n';
  await writeFile(path.join(folder, 'any-name.txt'), text);
  const found = await readReleases(pathToFileURL(`${folder}/`));
  expect([...found]).toEqual([[hashOf(text), text]]);
  expect([...(await readReleases(pathToFileURL(`${folder}/none/`)))]).toEqual([]);
});

test('a hash identifies one text, and no other text is served under it', async () => {
  const hash = randomBytes(32).toString('hex');
  expect((await api.call('GET', `/widget/${hash}.js`)).status).toBe(404);
  expect((await api.call('GET', `/widget/${'..%2f'.repeat(12)}abcd.js`)).status).toBe(404);
});

if (browser) {
  test('a browser runs the pinned script and refuses one that was changed in transit', async () => {
    const site = await aSite('bank');
    const [first, page] = [await browser.newPage(), await browser.newPage()];
    try {
      const { body: pin } = await api.call('GET', '/widget.json');
      const html = String(pin.html).replace(api.config.publicBaseUrl, api.url);
      site.html = document(`${html}<p>Your bank</p>`);
      await first.goto(site.origin);
      await untilTrue(() => first.evaluate<boolean>('window.Onward !== undefined'));
      await page.route('**/widget/*.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()}\nwindow.stolen = true;` });
      });
      const refused = page.waitForEvent('console', {
        predicate: (message) => message.text().includes('integrity'),
      });
      await page.goto(site.origin);
      await refused;
      expect(await page.evaluate('[window.Onward, window.stolen]')).toEqual([undefined, undefined]);
    } finally {
      await first.close();
      await page.close();
      await site.close();
    }
  });
}
