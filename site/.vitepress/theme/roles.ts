/**
 * Corrects what the default theme says to screen readers: the box of the search is no button, and
 * its results and the button that opens it are named by what they show.
 */
export function correctRoles(): void {
  correct();
  new MutationObserver(correct).observe(document.documentElement, {
    ...{ childList: true, subtree: true },
  });
}

function correct(): void {
  const box = document.querySelector('.VPLocalSearchBox[role="button"]');
  if (box) {
    for (const name of ['aria-expanded', 'aria-haspopup', 'aria-owns']) box.removeAttribute(name);
    box.setAttribute('role', 'dialog');
  }
  change('.VPLocalSearchBox a.result[aria-label]', (link) => link.removeAttribute('aria-label'));
  change('.VPLocalSearchBox kbd[aria-label]:not([role])', (key) => key.setAttribute('role', 'img'));
  change('.DocSearch-Button[aria-label]', (button) => button.removeAttribute('aria-label'));
  change('.DocSearch-Button-Keys:not([aria-hidden])', (keys) =>
    keys.setAttribute('aria-hidden', 'true'),
  );
}

function change(selector: string, work: (element: Element) => void): void {
  document.querySelectorAll(selector).forEach(work);
}
