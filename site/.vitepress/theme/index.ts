import type { Theme } from 'vitepress';
import defaultTheme from 'vitepress/theme-without-fonts';
import { correctRoles } from './roles.ts';
import { rememberTabs } from './tabs.ts';
import './style.css';

const theme: Theme = {
  extends: defaultTheme,
  enhanceApp({ siteData }) {
    if (typeof window === 'undefined') return;
    // `/docs#/Contacts/createContact` was the address of an operation before there was a site.
    const { hash } = window.location;
    if (/^#\/[^/]+\/\w+$/.test(hash)) {
      window.location.replace(`${siteData.value.base}reference${hash}`);
    }
    correctRoles();
    rememberTabs();
  },
};
export { theme as default };
