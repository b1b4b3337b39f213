import { withBase } from 'vitepress';
import { h } from 'vue';

const doors: readonly (readonly [text: string, page: string])[] = [
  ['Start of the documentation', '/'],
  ['Quick start', '/quick-start'],
  ['Guides', '/guides/'],
  ['API reference', '/reference'],
  ['Event types', '/events'],
  ['Error codes', '/errors'],
];

/** The page at an address that has none. */
export function notFound() {
  const links = doors.map(([text, page]) => h('li', h('a', { href: withBase(page) }, text)));
  return h('main', { class: 'vp-doc not-found' }, [
    h('h1', 'Page not found'),
    h(
      'p',
      'The documentation has no page at this address. It may have moved, or the link is wrong.',
    ),
    h('button', { type: 'button', class: 'find', onClick: openSearch }, 'Search the documentation'),
    h('ul', links),
  ]);
}

function openSearch(): void {
  document.querySelector<HTMLButtonElement>('.DocSearch-Button')?.click();
}
