import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { highlightBriefly } from '../highlight.ts';
import {
  escapeBraces,
  groupSamples,
  linkNoNames,
  rewriteLinks,
  showDiagrams,
  slugOf,
} from '../markdown.ts';
import { navigation, sidebarsOf } from '../navigation.ts';
import { addressOf } from '../pages.ts';
import { readFacts } from '../site-facts.ts';
import { sectionsOf } from '../search.ts';

const {
  ONWARD_SITE_BASE: base = '/docs/',
  ONWARD_SITE_LINKS: links = 'clean',
  ONWARD_SITE_PAGES: pages = '../dist/site-pages',
} = process.env;
const facts = readFacts(pages);

/** Built by `npm run site` (site/main.ts), which gives the base, the form of links and the pages. */
const config = defineConfig({
  ...{ base, srcDir: pages, cleanUrls: links === 'clean' },
  lang: 'en-US',
  title: 'Onward',
  description: 'Guides and reference of the Onward API',
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.ico`, sizes: '32x32' }],
    ['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }],
  ],
  rewrites: addressOf,
  router: { prefetchLinks: false },
  // Catalogs have too many headings for an outline.
  transformPageData({ relativePath, frontmatter }) {
    if (/^(errors|tables)\.md$/.test(relativePath)) frontmatter.outline = 2;
  },
  // Otherwise the inline scripts of each page differ, and with them the policy.
  metaChunk: true,
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    build: { chunkSizeWarningLimit: 2_000 },
  },
  markdown: {
    languageAlias: { haproxy: 'nginx', liquid: 'html' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    config(markdown) {
      linkNoNames(markdown);
      rewriteLinks(markdown, { pages, base, operations: facts.operations });
      groupSamples(markdown);
      showDiagrams(markdown);
      highlightBriefly(markdown);
      escapeBraces(markdown);
    },
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '', width: 24, height: 24 },
    nav: navigation,
    sidebar: sidebarsOf(facts),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // No functions: pages would have their source, and evaluate it, which their policy forbids.
        miniSearch: {
          searchOptions: {
            boost: { title: 4, titles: 2, text: 1 },
            fuzzy: 0.1,
            weights: { prefix: 0.4, fuzzy: 0.2 },
          },
          _splitIntoSections: sectionsOf,
        },
      },
    },
  },
});
export { config as default };
