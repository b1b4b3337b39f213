import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { diagramFile } from './diagram-file.ts';
import { addressOf } from './pages.ts';

type Token = Parameters<NonNullable<MarkdownRenderer['renderer']['rules']['text']>>[0][number];

interface ParsedPage {
  tokens: Token[];
  /** `realPath` is absent where the search reads the page, both where a title is read. */
  env: { realPath?: string; path?: string };
}

/** Tabs of samples, by the language of their block. */
const tabs: Readonly<Record<string, string>> = {
  bash: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  shell: 'Command line',
};

interface Site {
  /** The folder of the pages. */
  pages: string;
  base: string;
  /** Addresses of operations by their ids in lower case. */
  operations: Readonly<Record<string, string>>;
}

/** The anchor of a heading on code hosts, so that a link works in both places. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Names such as `meta.id` are no addresses of the Web. */
export function linkNoNames(markdown: MarkdownRenderer): void {
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
}

/**
 * Links between pages follow the addresses of the site. A link to a file outside of docs/ becomes
 * plain text.
 */
export function rewriteLinks(markdown: MarkdownRenderer, site: Site): void {
  markdown.core.ruler.push('onward-links', ({ tokens, env }: ParsedPage) => {
    const page = path.relative(site.pages, env.realPath ?? env.path ?? site.pages);
    for (const { children } of tokens) {
      let isDropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') isDropped = !rewriteLink(token, page, site);
        if (isDropped && token.type.startsWith('link_')) hide(token);
      }
    }
  });
}

/** Returns false for a link that leads out of the site. */
function rewriteLink(token: Token, page: string, site: Site): boolean {
  if (token.attrGet('class') === 'header-anchor') return true;
  const target = targetOf(page, token.attrGet('href') ?? '', site);
  if (target === undefined) return false;
  token.attrSet('href', target);
  if (target.startsWith('/collections/')) {
    token.attrSet('href', site.base + target.slice(1));
    token.attrSet('download', '');
  }
  return true;
}

function hide(token: Token): void {
  token.type = 'text';
  token.content = '';
}

function targetOf(page: string, href: string, { pages, operations }: Site): string | undefined {
  // Generated pages name addresses of the site.
  if (/^(\w+:|#|\/)/.test(href)) return href;
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  // The changelog lies one folder up.
  const from = file.startsWith('docs/') ? 'README.md' : page;
  const target = path.posix.join(path.posix.dirname(from), file.replace(/^docs\//, ''));
  if (target === '../CHANGELOG.md') return '/changelog';
  // The operations are no headings of a page in docs/.
  if (target === 'reference.md') return operations[anchor.slice(1)] ?? '/reference';
  if (target.startsWith('../') || !existsSync(path.join(pages, target))) return undefined;
  if (target.startsWith('collections/')) return `/${target}`;
  if (!target.endsWith('.md')) return target.startsWith('images/') ? href : undefined;
  return `/${addressOf(target).replace(/(index)?\.md$/, '')}${anchor}`;
}

/** Neighboring samples in several languages become one block with a tab for each. */
export function groupSamples(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('onward-samples', (state) => {
    const grouped: typeof state.tokens = [];
    const marker = (nesting: 1 | -1) =>
      new state.Token(`container_code-group_${nesting === 1 ? 'open' : 'close'}`, 'div', nesting);
    for (let at = 0; at < state.tokens.length;) {
      const run: typeof state.tokens = [];
      for (let token = state.tokens[at]; token && isSample(token); token = state.tokens[++at]) {
        run.push(token);
      }
      const languages = new Set(run.map(({ info }) => info));
      if (run.length > 1 && languages.size === run.length) {
        for (const token of run) token.info = `${token.info} [${tabs[token.info] ?? ''}]`;
        grouped.push(marker(1), ...run, marker(-1));
      } else {
        grouped.push(...run);
      }
      const next = state.tokens[at];
      if (next) grouped.push(next);
      at += 1;
    }
    state.tokens = grouped;
  });
}

const isSample = ({ type, info }: { type: string; info: string }) =>
  type === 'fence' && Object.hasOwn(tabs, info);

/** A diagram is shown as the picture that `npm run generate -- diagrams` made of it. */
export function showDiagrams(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (!fence) throw new Error('the renderer has no rule for blocks of code');
  markdown.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info = '', content = '' } = tokens[at] ?? {};
    const file = diagramFile(content);
    if (info !== 'mermaid' || !existsSync(file)) return fence(tokens, at, ...rest);
    const picture = markdown.utils.escapeHtml(JSON.stringify(readFileSync(file, 'utf8')));
    return `<div class="diagram" role="img" aria-label="Diagram" v-html="${picture}"></div>\n`;
  };
}

/** Braces of Liquid in the text of a page would be expressions of Vue. */
export function escapeBraces(markdown: MarkdownRenderer): void {
  for (const name of ['text', 'code_inline'] as const) {
    const rule = markdown.renderer.rules[name];
    if (!rule) throw new Error(`the renderer has no rule for ${name}`);
    markdown.renderer.rules[name] = (...call) => rule(...call).replaceAll('{{', '&#123;&#123;');
  }
}
