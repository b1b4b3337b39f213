import path from 'node:path';

interface Section {
  anchor: string;
  titles: string[];
  text: string;
}

/** Words that people search for, of pages whose text has other ones. */
const keywords: Readonly<Record<string, string>> = {
  'guides/run-a-batch.md': 'import CSV file upload bulk import',
  'guides/load-contacts.md': 'import contacts customers CRM sync',
  'guides/receive-webhooks.md': 'webhook endpoint signature verify',
  'guides/send-a-message.md': 'transactional e-mail email SMS push',
  'guides/embed-the-widget.md': 'JavaScript script embed website',
  'guides/handle-errors.md': 'retry idempotency idempotent error handling',
  'guides/security.md': 'secret rotation API key credentials scopes',
  'quick-start.md': 'getting started tutorial install first request',
  'api-conventions.md': 'pagination paging cursor filter sort headers ETag',
  'widget.md': 'landing page session cookie form',
  'clients.md': 'SDK library TypeScript Python npm pip Postman',
  'cli.md': 'CLI terminal command line tool',
  'authentication.md': 'OAuth token client credentials API key login',
  'limits.md': 'rate limit quota maximum size',
  'privacy.md': 'GDPR delete erase forget duplicate merge',
};
/** Records, test output and catalogs for operators only: not for those who search. */
const unlisted = /^(adr\/|CHANGELOG|changelog|security-asvs|performance|deviations|libraries)/;

/** What the search of the site knows of a page: its sections. */
export function* sectionsOf(file: string, html: string): Generator<Section> {
  const page = file.split(/\/site-pages\//).at(-1) ?? path.basename(file);
  if (unlisted.test(page)) return;
  const sections = [...split(html)];
  if (page.startsWith('reference/')) yield* operationSections(sections);
  else if (page.startsWith('events/')) yield* eventSections(sections);
  else if (page.startsWith('errors/')) yield* errorSections(page, sections);
  // The pages of the single codes, types and operations are found instead.
  else if (/^(generated\/(errors|events)|reference)\.md$/.test(page)) yield* sections.slice(0, 1);
  else {
    for (const [index, section] of sections.entries()) {
      const more = index === 0 ? (keywords[page] ?? '') : '';
      yield { ...section, text: `${section.text} ${more} ${more}` };
    }
  }
}

const heading = /<h([1-6])[^>]*?>(.*?)<a[^>]*? href="#([^"]*)"[^>]*>.*?<\/a><\/h\1>/gs;

function* split(html: string): Generator<Section> {
  let titles: string[] = [];
  const matches = [...html.matchAll(heading)];
  for (const [index, match] of matches.entries()) {
    const [whole, level = '1', title = '', anchor = ''] = match;
    titles = [...titles.slice(0, Number(level) - 1), textOf(title)];
    const end = matches[index + 1]?.index ?? html.length;
    yield {
      anchor: decodeURIComponent(anchor),
      titles: titles.filter((one) => one !== ''),
      text: textOf(html.slice(match.index + whole.length, end)),
    };
  }
}

const textOf = (html: string) =>
  html
    .replaceAll(/<(script|style|svg)[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#123;', '{')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Operations by path, description and id, without their tables and samples. */
function* operationSections(sections: readonly Section[]): Generator<Section> {
  for (const { anchor, titles, text } of sections) {
    if (titles.length > 2) continue;
    const [page = '', title] = titles;
    if (title === undefined) {
      yield { anchor, titles: ['API reference', page], text: '' };
    } else if (anchor.startsWith('object-')) {
      yield { anchor, titles: ['API reference', page, title], text: '' };
    } else {
      const [about = ''] = text.split(/ (?:Parameters|Filters: \d|Body|Answer \d)/);
      yield { anchor, titles: ['API reference', page, `${title} (${anchor})`], text: about };
    }
  }
}

function* eventSections(sections: readonly Section[]): Generator<Section> {
  for (const { anchor, titles, text } of sections) {
    const [page = '', title] = titles;
    if (title?.startsWith('Fields of') === true) continue;
    yield {
      anchor,
      titles: title === undefined ? ['Event types', page] : ['Event types', page, title],
      text: title === undefined ? '' : (text.split('Subscribe with')[0] ?? ''),
    };
  }
}

function* errorSections(page: string, sections: readonly Section[]): Generator<Section> {
  const code = path.basename(page, '.md');
  const [top, remedy] = sections;
  if (!top) return;
  yield {
    anchor: '',
    titles: ['Error codes', `${code}: ${top.titles[0] ?? ''}`],
    text: remedy?.text ?? '',
  };
}
