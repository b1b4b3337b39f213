/** Address in the site of a page of docs/: README.md opens its folder. */
export function addressOf(page: string): string {
  return page.replace(/(^|\/)README\.md$/, '$1index.md').replace(/^generated\//, '');
}

/** Pages of the service in the header of the site that it serves; a published copy has none. */
export const servicePages = (base: string) =>
  base === '/docs/'
    ? [
        { name: 'Insights', href: '/insights' },
        { name: 'Requests', href: '/requests' },
      ]
    : [];
