/**
 * Corrects what the default theme says to screen readers: the box of the search is no button, its
 * results are options rather than lists of links, and the button that opens it is named by its text.
 */
export function correctRoles(): void {
  correct();
  new MutationObserver(correct).observe(document.documentElement, {
    ...{ childList: true, subtree: true },
    attributeFilter: ['aria-selected', 'id'],
  });
}

function correct(): void {
  const box = document.querySelector('.VPLocalSearchBox[role="button"]');
  if (box) {
    for (const name of ['aria-expanded', 'aria-haspopup', 'aria-owns']) box.removeAttribute(name);
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', 'Search the documentation');
  }
  change('.VPLocalSearchBox .results > li', moveOption);
  change('.VPLocalSearchBox kbd[aria-label]:not([role])', (key) => key.setAttribute('role', 'img'));
  // The text of the button is its name, also where it is not shown (style.css).
  change('.DocSearch-Button[aria-label]', (button) => button.removeAttribute('aria-label'));
  change('.DocSearch-Button-Keys:not([aria-hidden])', (keys) =>
    keys.setAttribute('aria-hidden', 'true'),
  );
}

/** An option must not contain a link: the link is the option, and its item has no role. */
function moveOption(item: Element): void {
  const link = item.querySelector('a');
  if (!link) return;
  if (item.getAttribute('role') !== 'presentation') item.setAttribute('role', 'presentation');
  if (link.getAttribute('role') !== 'option') {
    link.setAttribute('role', 'option');
    link.setAttribute('tabindex', '-1');
    link.removeAttribute('aria-label');
  }
  if (item.id !== '') {
    link.id = item.id;
    item.removeAttribute('id');
  }
  const selected = item.getAttribute('aria-selected');
  if (selected === null) return;
  link.setAttribute('aria-selected', selected);
  item.removeAttribute('aria-selected');
}

function change(selector: string, work: (element: Element) => void): void {
  document.querySelectorAll(selector).forEach(work);
}
