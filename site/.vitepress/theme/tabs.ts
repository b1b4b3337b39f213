const choice = 'onward-sample-language';

/** The language that a reader chooses in one place is shown everywhere, also on other pages. */
export function rememberTabs(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !isTab(target)) return;
    const language = languageOf(target);
    if (language === undefined || language === localStorage.getItem(choice)) return;
    const topPx = target.getBoundingClientRect().top;
    localStorage.setItem(choice, language);
    choose(language);
    // The blocks above are now of another height.
    window.scrollBy({ top: target.getBoundingClientRect().top - topPx, behavior: 'instant' });
  });
  new MutationObserver(() => {
    const language = localStorage.getItem(choice);
    if (language !== null) choose(language);
  }).observe(document.body, { childList: true, subtree: true });
}

const isTab = (input: Element) => input.closest('.vp-code-group') !== null;
const languageOf = ({ labels }: HTMLInputElement) => labels?.[0]?.textContent;

/** Shows the blocks of the language. A click on each tab would scroll the page to the last one. */
function choose(language: string): void {
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const inputs = [...group.querySelectorAll('input')];
    const at = inputs.findIndex((input) => languageOf(input) === language);
    if (at < 0 || inputs[at]?.checked === true) continue;
    inputs[at]?.setAttribute('checked', '');
    inputs.forEach((input, index) => (input.checked = index === at));
    const blocks = group.querySelector('.blocks')?.children ?? [];
    [...blocks].forEach((block, index) => block.classList.toggle('active', index === at));
  }
}
