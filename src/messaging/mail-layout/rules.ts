/** Whether the HTML of an e-mail, sanitized, is a layout, so that it is sent as it is. */
export function hasOwnLayout(html: string): boolean {
  if (/^\s*<style>/.test(html) || isLaidOut(html)) return true;
  let open = 0;
  let tables = 0;
  let hasHeadings = false;
  for (const [, end, name = '', attributes = ''] of html.matchAll(tags)) {
    if (name === 'table') {
      open += end === '' ? 1 : -1;
      tables += end === '' ? 1 : 0;
      // A table of data has no other around it.
      if (open > 1 || /\srole="(?:presentation|none)"/.test(attributes)) return true;
    }
    hasHeadings ||= name === 'th' || name === 'thead' || name === 'caption';
  }
  return tables > 0 && !hasHeadings;
}

/** Tags of sanitized HTML, whose attributes have no angle brackets. The time is linear. */
const tags = /<(\/?)([a-z]+\d?)\b([^<>]*)>/g;

/** Whether the first element is a column, or has a background. */
function isLaidOut(html: string): boolean {
  const [, name = '', attributes = ''] = /^\s*<([a-z]+\d?)\b([^<>]*)>/.exec(html) ?? [];
  if (!/^(?:div|section|article|main|center)$/.test(name)) return false;
  return /\salign="center"/.test(attributes) || /background|width/.test(styleOf(attributes));
}

/** Whether an author chose colors, which fit a light page and no other. */
export const hasOwnColors = (html: string): boolean =>
  [...html.matchAll(tags)].some(
    ([, , , attributes = '']) =>
      /\s(?:bgcolor|color|background)="/.test(attributes) ||
      /color|background/.test(styleOf(attributes)),
  );

const styleOf = (attributes: string) => /\sstyle="([^"]*)/.exec(attributes)?.[1] ?? '';
