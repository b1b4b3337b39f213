import { show } from './show.ts';
import type { Options } from './options.ts';

declare global {
  interface Window {
    Onward?: { show(host: HTMLElement, options: Options): Promise<void> };
  }
}

const script = document.currentScript;
const base =
  script instanceof HTMLScriptElement ? new URL(script.src).origin : window.location.origin;

window.Onward = { show: (host, options) => show(host, options.base ?? base, options) };

/**
 * The secret in an address. Programs that make links of text encode it, and append what comes after
 * it in the sentence, or marks of their own.
 */
function secretIn(fragment: string): string {
  const text = fragment.slice(1).replace(/%7e/gi, '~').replace(/%5f/gi, '_').replace(/%2d/gi, '-');
  return /^[\w~.-]*[\w~-]/.exec(text)?.[0] ?? '';
}

/** Elements that name a token show their journey by themselves. */
function showAll(): void {
  for (const host of document.querySelectorAll<HTMLElement>('[data-onward-token]')) {
    if (!host.shadowRoot) void show(host, base, { token: host.dataset['onwardToken'] });
  }
  // The service's own pages: the fragment is sent only to the service.
  const own = document.querySelector<HTMLElement>('[data-onward-fragment]');
  if (!own || own.shadowRoot) return;
  const secret = secretIn(window.location.hash);
  // A token is for a page that embeds the widget. The service's own page accepts only links: others
  // could send their own token, and observe the actions of its recipient.
  const isFramed = own.dataset['onwardFragment'] === 'token' && window.parent !== window;
  if (!secret.startsWith('dow_')) void show(own, base, { linkToken: secret });
  else void show(own, base, isFramed ? { token: secret } : { linkToken: '' });
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showAll);
else showAll();
