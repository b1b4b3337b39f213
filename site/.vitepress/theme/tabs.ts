const choice = 'onward-sample-language';

/** The language that a reader chooses in one place is shown everywhere, also on other pages. */
export function rememberTabs(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !isTab(target)) return;
    const language = languageOf(target);
    if (language === undefined || language === localStorage.getItem(choice)) return;
    localStorage.setItem(choice, language);
    choose(language);
  });
  new MutationObserver(() => {
    const language = localStorage.getItem(choice);
    if (language !== null) choose(language);
  }).observe(document.body, { childList: true, subtree: true });
}

const isTab = (input: Element) => input.closest('.vp-code-group') !== null;
const languageOf = ({ labels }: HTMLInputElement) => labels?.[0]?.textContent;

/** Clicks the tabs of the language, so that the theme shows their blocks. */
function choose(language: string): void {
  for (const input of document.querySelectorAll('.vp-code-group input')) {
    if (!(input instanceof HTMLInputElement) || input.checked) continue;
    if (languageOf(input) === language) input.click();
  }
}
