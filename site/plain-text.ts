import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageMenus } from './navigation.ts';
import { addressOf } from './pages.ts';
import type { SiteFacts } from './site-facts.ts';

/**
 * Writes every page of a folder as Markdown next to its HTML, and their list (llmstxt.org): for
 * programs that read documentation, and for people who paste it.
 */
export function writePlainText(
  pages: string,
  folder: string,
  base: string,
  { reference, events }: SiteFacts,
): void {
  const names = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  const files = new Map<string, string>();
  for (const name of names) {
    const address = addressOf(name);
    const file = join(folder, address);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, plain(readFileSync(join(pages, name), 'utf8'), base));
    files.set(`/${address.replace(/(index)?\.md$/, '')}`, address);
  }
  const groups = [
    ...pageMenus.flat(),
    { text: 'API reference', items: reference.flatMap(({ items = [] }) => items) },
    { text: 'Events', items: events },
  ];
  const listed = new Set<string>();
  const sections = groups.map(({ text, items }) => {
    const lines = items.flatMap(({ text: title, link = '' }) => {
      const address = files.get(link);
      if (address === undefined || listed.has(address)) return [];
      listed.add(address);
      return [`- [${title}](${base}${address})`];
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

/** A page without the marks that only place its parts in the site. */
function plain(text: string, base: string): string {
  return text
    .replace(/^---\n[^]*?\n---\n+/, '')
    .replaceAll(/^<\/?(?:div|details)[^>]*>\n+/gm, '')
    .replaceAll(/<summary>(.*?)<\/summary>/g, '**$1**')
    .replaceAll(/^(#+ .*?) \{#[\w.-]+\}$/gm, '$1')
    .replaceAll(/<a class="try".*?<\/a>/g, '')
    .replaceAll(/\]\(\/(?=[a-z])/g, `](${base}`)
    .replaceAll(/<\/?(?:span|strong)[^>]*>/g, '');
}
