import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sidebars } from './navigation.ts';
import { addressOf } from './pages.ts';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/**
 * Writes every page as Markdown next to it, and their list (llmstxt.org): for programs that read
 * documentation, and for people who paste it.
 */
export function writePlainText(folder: string, base: string): void {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  const titles = new Map<string, string>();
  for (const page of pages) {
    const text = readFileSync(join(docs, page), 'utf8');
    const address = addressOf(page);
    const file = join(folder, address);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    titles.set(`/${address.replace(/(index)?\.md$/, '')}`, address);
  }
  const groups = Object.values(sidebars).flatMap((sidebar) =>
    Array.isArray(sidebar) ? sidebar : [],
  );
  const sections = [...new Set(groups)].map(({ text = '', items = [] }) => {
    const lines = items.flatMap(({ text: title = '', link = '' }) => {
      const address = titles.get(link);
      return address === undefined ? [] : [`- [${title}](${base}${address})`];
    });
    return lines.length === 0 ? '' : `## ${text}\n\n${lines.join('\n')}\n`;
  });
  const about =
    'Onward is a service for onboarding and engaging the customers of banks and credit unions, with ' +
    'an interface over HTTP and JSON. The pages below are Markdown; the interface is described by ' +
    'the OpenAPI document at /v2/meta/openapi.json.';
  const listing = ['# Onward\n', `> ${about}\n`, ...sections.filter((one) => one !== '')].join(
    '\n',
  );
  writeFileSync(join(folder, 'llms.txt'), listing);
}
