import { useData } from 'vitepress';
import type { Theme } from 'vitepress';
import defaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { servicePages } from '../../pages.ts';
import { rankOf } from '../../search-rank.ts';
import { notFound } from './not-found.ts';
import { correctRoles } from './roles.ts';
import { rememberTabs } from './tabs.ts';
import './style.css';
import './reference.css';

/** The other pages of the service that serves this site. */
function linkServicePages() {
  const links = servicePages(useData().site.value.base);
  return links.map(({ name, href }) => h('a', { class: 'service-page', href }, name));
}

/** Gives the search its order: the settings of the site hold no functions. */
function rankResults(config: unknown): void {
  let rules: unknown = config;
  for (const name of ['search', 'options', 'miniSearch', 'searchOptions']) {
    rules = typeof rules === 'object' && rules !== null ? Reflect.get(rules, name) : undefined;
  }
  if (typeof rules === 'object' && rules !== null) Object.assign(rules, { boostDocument: rankOf });
}

const theme: Theme = {
  extends: defaultTheme,
  Layout: () =>
    h(defaultTheme.Layout, null, {
      'nav-bar-content-after': linkServicePages,
      'not-found': notFound,
    }),
  enhanceApp({ siteData }) {
    if (typeof window === 'undefined') return;
    // `/docs#/Contacts/createContact` was the address of an operation before there was a site.
    const { hash } = window.location;
    if (/^#\/[^/]+\/\w+$/.test(hash)) {
      window.location.replace(`${siteData.value.base}reference${hash}`);
    }
    rankResults(siteData.value.themeConfig);
    correctRoles();
    rememberTabs();
  },
};
export { theme as default };
