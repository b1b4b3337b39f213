import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { diagramFile } from '../../site/diagram-file.ts';
import { aBrowser } from '../widget/a-browser.ts';
import { diagramsIn } from './diagrams-in.ts';

// `npm run generate -- diagrams`: draws the diagrams of docs/ for the site, with Mermaid in a browser. Neither is
// needed to build the site.
const mermaid = 'mermaid@11.12.0';

const folder = mkdtempSync(join(tmpdir(), 'onward-diagrams-'));
execFileSync('npm', ['pack', '--silent', mermaid], { cwd: folder });
const [archive = ''] = readdirSync(folder);
execFileSync('tar', ['-xzf', archive, 'package/dist/mermaid.min.js'], { cwd: folder });
const browser = await aBrowser();
if (!browser) throw new Error('There is no browser: npm run browser');
const page = await browser.newPage();
await page.setContent('<!doctype html><body></body>');
await page.addScriptTag({ path: join(folder, 'package', 'dist', 'mermaid.min.js') });
await page.evaluate(
  'mermaid.initialize({ startOnLoad: false, theme: "neutral", fontFamily: "ui-sans-serif, system-ui, sans-serif" })',
);
for (const { page: name, text } of diagramsIn('docs')) {
  const file = diagramFile(text);
  const id = `d${file.replace(/.*\/|\.svg$/g, '')}`;
  const svg = await page.evaluate<string>(
    `mermaid.render(${JSON.stringify(id)}, ${JSON.stringify(text)}).then(({ svg }) => svg)`,
  );
  mkdirSync(dirname(file), { recursive: true });
  // Hundredths of a pixel are most of the size.
  writeFileSync(file, `${svg.replaceAll(/(\d+\.\d)\d+/g, '$1')}\n`);
  console.log(`${name}: ${file}`);
}
await browser.close();
