import { brandOf, embeddedBrandStyle, ownColorsStyle } from '../../platform/content/brand.ts';
import { directionOf } from '../../platform/schema/direction.ts';
import { element } from './dom.ts';
import { addStyle } from './parts.ts';
import type { Model } from './model.ts';
import { style } from './style.ts';

/** The parts of the widget that stay while its pages change. */
export interface Frame {
  frame: HTMLElement;
  layout: HTMLElement;
  status: HTMLElement;
  place: HTMLElement;
  ends: HTMLElement;
  foot: HTMLElement;
  /** Shows language, direction and brand of a journey. */
  dress(model: Model, lang: string): void;
  /** Names the page where it is ours; the title of a step may have the name of the recipient. */
  name(title: string): void;
  /** Shows a button at the foot, or none; one that is there stays. */
  putFoot(button: HTMLElement, isShown: boolean): void;
  /** Shows a view, and what comes after it. */
  put(view: HTMLElement, more: readonly HTMLElement[], takesFocus: boolean): void;
}

/** Lines in place of a page that is on its way. */
export const skeleton = () =>
  element(
    'div',
    { class: 'skeleton', 'aria-hidden': 'true' },
    ...Array.from({ length: 5 }, () => element('i')),
  );

/**
 * Builds the widget in a shadow root, so that the styles of the page stay out. A page of our own has
 * the name of the bank, landmarks and a title; a page of others has those already.
 */
export function buildFrame(host: HTMLElement, isOwn: boolean, nav: HTMLElement): Frame {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const status = element('p', { role: 'status', 'aria-live': 'polite', tabindex: '-1' });
  const place = element('div', { class: 'place', 'aria-busy': 'true' }, skeleton());
  const ends = element('div', { class: 'ends' });
  const foot = element('p', { class: 'foot' });
  const bank = element('p', {});
  const header = element('header', { class: 'brand', hidden: true }, bank);
  const content = element(isOwn ? 'main' : 'div', {}, status, place, ends, foot);
  const layout = element('div', { class: 'layout' }, nav, content);
  const frame = element('div', { class: isOwn ? 'onward is-own' : 'onward' }, header, layout);
  const isAlone = isOwn && window.parent === window;
  const { title: plainTitle } = document;
  let bankName = '';

  function dressUp(theme: Model['template']['theme']): void {
    root.adoptedStyleSheets = [];
    root.replaceChildren(frame);
    const brand = brandOf(theme);
    addStyle(root, style);
    addStyle(root, `${embeddedBrandStyle('.onward', brand)}\n${ownColorsStyle}`);
    if (isOwn) document.documentElement.style.colorScheme = brand.scheme ?? 'light dark';
  }

  function name(title: string): void {
    const names = [title, bankName].filter(Boolean).join(' – ');
    if (isAlone) document.title = names || plainTitle;
  }

  dressUp({});
  return {
    ...{ frame, layout, status, place, ends, foot },
    dress({ team, template, locale }, lang) {
      dressUp(template.theme);
      frame.lang = lang;
      frame.dir = directionOf(locale);
      // Styles in the content of pages may use them.
      for (const [name, value] of Object.entries(template.theme)) {
        host.style.setProperty(`--${name.replaceAll('_', '-')}`, String(value));
      }
      bankName = team.name;
      bank.textContent = bankName;
      header.hidden = !isAlone;
      if (isOwn) document.documentElement.lang = locale;
    },
    name,
    putFoot(button, isShown) {
      if (!isShown) button.remove();
      else if (button.parentNode !== foot) foot.append(button);
    },
    put(view, more, takesFocus) {
      place.setAttribute('aria-busy', 'false');
      place.replaceChildren(view, ...more);
      const title = view.querySelector<HTMLElement>('.title');
      title?.setAttribute('aria-describedby', 'count');
      name(title?.textContent ?? '');
      if (takesFocus) title?.focus();
    },
  };
}
