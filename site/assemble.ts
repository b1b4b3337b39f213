import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '../src/app/endpoints.ts';
import { openApiDocument } from '../src/meta/openapi.ts';
import { errorPages } from './error-pages.ts';
import { eventAddresses, eventMenu, eventPages } from './event-pages.ts';
import type { SiteOptions } from './options.ts';
import { referenceIndex } from './reference/index-page.ts';
import { entriesOf } from './reference/operations.ts';
import type { Entry } from './reference/operations.ts';
import { referencePages, sampleBlocks } from './reference/pages.ts';
import { areas, pageOfTag } from './reference/areas.ts';
import type { SiteFacts } from './site-facts.ts';
import { factsName } from './site-facts.ts';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/** Copies docs/ to a folder, and adds the pages that the interface determines. */
export function assemblePages(folder: string, { base, htmlLinks }: SiteOptions): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(docs, folder, { recursive: true });
  const ending = htmlLinks ? '.html' : '';
  const document = openApiDocument(endpoints, '');
  const entries = entriesOf(document);
  const events = eventAddresses();
  const operations = new Map(entries.map(({ operation, address }) => [operation.id, address]));
  const links = {
    find: (name: string) => events.get(name) ?? operations.get(name),
    tryPage: `${base}reference/try${ending}`,
  };
  const pages = new Map([
    ['reference.md', referenceIndex(entries, base, ending)],
    ...referencePages(document, entries, links),
    ...eventPages(document),
    ...errorPages(document, entries),
    ['changelog.md', changelog()],
    ['README.md', withSamples(readFileSync(join(docs, 'README.md'), 'utf8'), entries)],
    ['generated/events.md', linkEvents(readFileSync(join(docs, 'generated/events.md'), 'utf8'))],
    ['generated/errors.md', linkErrors(readFileSync(join(docs, 'generated/errors.md'), 'utf8'))],
  ]);
  for (const [page, text] of pages) {
    const file = join(folder, page);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const facts: SiteFacts = {
    operations: Object.fromEntries([...operations].map(([id, at]) => [id.toLowerCase(), at])),
    reference: Object.entries(areas).map(([area, tags]) => ({
      text: area,
      items: Object.entries(tags).map(([tag, title]) => ({
        text: title,
        link: pageOfTag(tag),
        collapsed: true,
        items: entries
          .filter((entry) => entry.tag === tag)
          .map(({ title: text, address: link }) => ({ text, link })),
      })),
    })),
    events: eventMenu().map(({ title, page, types }) => ({
      text: title,
      link: page,
      collapsed: true,
      items: types.map((text) => ({ text, link: events.get(text) ?? page })),
    })),
  };
  writeFileSync(join(folder, factsName), JSON.stringify(facts));

  function linkEvents(text: string): string {
    return text.replaceAll(/^\| `([^`]+)` +\|/gm, (row, name: string) => {
      const address = events.get(name);
      return address === undefined ? row : `| [\`${name}\`](${address}) |`;
    });
  }
}

/** The changelog lies next to docs/; its page has the title already. */
function changelog(): string {
  return readFileSync(join(docs, '../CHANGELOG.md'), 'utf8');
}

/** Puts the samples of operations where a page names them. */
function withSamples(text: string, entries: readonly Entry[]): string {
  return text.replaceAll(/<!-- samples: (\w+) -->/g, (_, id: string) => {
    const entry = entries.find(({ operation }) => operation.id === id);
    if (!entry) throw new Error(`there is no operation ${id}`);
    return sampleBlocks(entry.operation).join('\n\n');
  });
}

/** The code of each section leads to its page. */
const linkErrors = (text: string) =>
  text.replaceAll(/^(### `(\w+)`\n\n.*)$/gm, '$1 [More](/errors/$2)');
