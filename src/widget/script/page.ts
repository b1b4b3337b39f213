import { cutText } from '../../platform/cut-text.ts';
import { isSafeReference } from '../../platform/schema/safe-url.ts';
import { newId } from './client.ts';
import type { Client } from './client.ts';
import { element, unseen } from './dom.ts';
import { orderHeadings } from './parts.ts';
import { takeForm } from './forms.ts';
import type { Event, Model, Page } from './model.ts';
import { settingsView } from './settings.ts';
import type { Say } from './settings.ts';
import type { Words } from './words.ts';

/** Surroundings of a page. */
export interface PagePlace {
  words: Words;
  say: Say;
  /** Level of the title, below the headings of the page around the widget. */
  level: number;
  onDone: () => Promise<void>;
}

/** A page with its blocks brought to life: links, forms, checklists and the widget in it. */
export function pageView(page: Page, model: Model, client: Client, place: PagePlace): HTMLElement {
  const { words, say, level, onDone } = place;
  const view = element('div', { class: 'page', lang: model.locale });
  // The service has sanitized it: no script, no handler, no address that runs.
  view.innerHTML = page.html ?? '';
  if (!view.querySelector('h1')) view.prepend(element('h1', {}, page.title));
  const title = view.querySelector('h1');
  title?.setAttribute('tabindex', '-1');
  title?.classList.add('title');
  for (const link of view.querySelectorAll('a[href]')) follow(link);
  for (const form of view.querySelectorAll('form')) take(form);
  tickAll(view, model, words);
  const record = (kind: string, properties: object) =>
    client.record({ kind, page_id: page.id, properties }).then(onDone);
  if (page.widget) view.append(...settingsView(page.widget, client, { words, say, record }));
  orderHeadings(view, level);

  function follow(link: Element): void {
    // Content from older rules is checked again.
    if (!isSafeReference(link.getAttribute('href') || '')) {
      link.removeAttribute('href');
      return;
    }
    // The embedding page stays open.
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
    link.addEventListener('click', () => {
      const label = cutText((link.textContent || '').trim(), 200);
      record('page.cta_clicked', { label }).catch(() => undefined);
    });
  }

  function take(form: HTMLFormElement): void {
    const sendOnce = sendingOnce(client);
    takeForm(form, words, async () => {
      const fields = Object.fromEntries(
        [...new FormData(form)].filter(([, value]) => typeof value === 'string'),
      );
      await sendOnce({ kind: 'page.form_submitted', page_id: page.id, properties: { fields } });
      for (const box of form.querySelectorAll<HTMLInputElement>('[data-consent]:checked')) {
        const channel = box.getAttribute('data-consent') === 'sms' ? 'sms' : 'email';
        await client.consent(channel, 'subscribed', wordingOf(box));
      }
      const text = form.getAttribute('data-sent') ?? words.saved;
      const sent = element('p', { class: 'sent', tabindex: '-1' }, text);
      form.replaceWith(sent);
      sent.focus();
      await onDone();
    });
  }

  return view;
}

/** The words that a recipient agrees to, without the mark that the box is optional. */
function wordingOf(box: HTMLInputElement): string {
  const [label] = box.labels ?? [];
  const words = [...(label?.childNodes ?? [])]
    .filter((node) => !(node instanceof Element && node.matches('.form-optional')))
    .map(({ textContent }) => textContent ?? '');
  return cutText(words.join('').trim(), 1500);
}

/** Sends an event; the same one again is recorded once, also when no answer came to the first. */
function sendingOnce(client: Client): (event: Event) => Promise<void> {
  const ids = new Map<string, string>();
  return (event) => {
    const text = JSON.stringify(event);
    const unique_id = ids.get(text) ?? newId();
    ids.set(text, unique_id);
    return client.record({ ...event, unique_id });
  };
}

/** Ticks off what is done in the checklists of a view. */
export function tickAll(view: Element, { journey }: Model, words: Words): void {
  for (const item of view.querySelectorAll('li[data-objective]')) {
    const key = item.getAttribute('data-objective');
    const isDone = journey.objectives.some((one) => one.key === key && one.completed_at);
    item.classList.toggle('is-done', isDone);
    item.querySelector('.unseen')?.remove();
    item.append(unseen(` (${isDone ? words.done : words.open})`));
  }
}
