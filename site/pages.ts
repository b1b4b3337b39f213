/** Address in the site of a page of docs/: README.md opens its folder. */
export function addressOf(page: string): string {
  return page.replace(/(^|\/)README\.md$/, '$1index.md').replace(/^generated\//, '');
}
