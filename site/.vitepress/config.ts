import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { escapeBraces, groupSamples, rewriteLinks, showDiagrams, slugOf } from '../markdown.ts';
import { navigation, sidebars } from '../navigation.ts';
import { addressOf } from '../pages.ts';

const { ONWARD_SITE_BASE: base = '/docs/', ONWARD_SITE_LINKS: links = 'clean' } = process.env;

/** Built by `npm run site` (src/commands/site.ts), which gives the base and the form of links. */
const config = defineConfig({
  ...{ base, srcDir: '../docs', cleanUrls: links === 'clean' },
  lang: 'en-US',
  title: 'Onward',
  description: 'Guides and reference of the Onward API',
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  rewrites: addressOf,
  router: { prefetchLinks: false },
  // Catalogs have too many headings for an outline.
  transformPageData({ relativePath, frontmatter }) {
    if (/^(endpoints|errors|tables)\.md$/.test(relativePath)) frontmatter.outline = 2;
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
      rewriteLinks(markdown, base, links === 'clean' ? '' : '.html');
      groupSamples(markdown);
      showDiagrams(markdown);
      escapeBraces(markdown);
    },
  },
  themeConfig: {
    nav: navigation,
    sidebar: sidebars,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
export { config as default };
