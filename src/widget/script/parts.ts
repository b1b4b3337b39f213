import { element } from './dom.ts';

/** A button with a task. */
export function button(
  className: string,
  onClick: () => void,
  ...content: readonly (Node | string)[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', class: className }, ...content);
  made.addEventListener('click', onClick);
  return made;
}

/**
 * Gives the headings of a view the levels that follow the heading of the page around it, without
 * gaps, as screen readers list them. The first one is the title.
 */
export function orderHeadings(view: HTMLElement, top: number): void {
  let last = top - 1;
  for (const heading of view.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const wanted = Number(heading.tagName.replace('H', '')) + top - 1;
    last = Math.min(wanted, last + 1, 6);
    if (heading.tagName === `H${String(last)}`) continue;
    const moved = document.createElement(`h${String(last)}`);
    for (const { name, value } of heading.attributes) moved.setAttribute(name, value);
    moved.append(...heading.childNodes);
    heading.replaceWith(moved);
  }
}

/** Adds a style sheet to a shadow root. A policy of the page blocks elements, not sheets made so. */
export function addStyle(root: ShadowRoot, text: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    root.append(element('style', {}, text));
  }
}
