import { isSafeReference } from '../../platform/schema/safe-url.ts';
import type { Client } from './client.ts';
import { element, onSubmit, unseen } from './dom.ts';
import type { Model, Page } from './model.ts';
import { settingsView } from './settings.ts';
import type { Say } from './settings.ts';
import type { Words } from './words.ts';
import { cutText } from '../../platform/cut-text.ts';

/** A page with its blocks brought to life: links, forms, checklists and the widget in it. */
export function pageView(
  page: Page,
  model: Model,
  client: Client,
  words: Words,
  { say, onDone }: { say: Say; onDone: () => Promise<void> },
): HTMLElement {
  const view = element('div', { class: 'page' });
  // The service has sanitised it: no script, no handler, no address that runs.
  view.innerHTML = page.html ?? '';
  if (!view.querySelector('h1')) view.prepend(element('h1', {}, page.title));
  view.querySelector('h1')?.setAttribute('tabindex', '-1');
  for (const link of view.querySelectorAll('a[href]')) follow(link);
  for (const form of view.querySelectorAll('form')) take(form);
  for (const item of view.querySelectorAll('li[data-objective]')) tick(item);
  if (page.widget) view.append(...settingsView(page.widget, client, words, say));

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
      const properties = { label: cutText((link.textContent || '').trim(), 200) };
      void client
        .record({ kind: 'page.cta_clicked', page_id: page.id, properties })
        .then(onDone, () => undefined);
    });
  }

  function take(form: HTMLFormElement): void {
    onSubmit(form, async () => {
      const fields = Object.fromEntries(
        [...new FormData(form)].filter(([, value]) => typeof value === 'string'),
      );
      try {
        await client.record({
          kind: 'page.form_submitted',
          page_id: page.id,
          properties: { fields },
        });
        for (const box of form.querySelectorAll('input[data-consent]:checked')) {
          const channel = box.getAttribute('data-consent') === 'sms' ? 'sms' : 'email';
          const wording = cutText((box.closest('label')?.textContent || '').trim(), 1500);
          await client.consent(channel, 'subscribed', wording);
        }
        form.reset();
        say(words.saved);
        await onDone();
      } catch {
        say(words.failed);
      }
    });
  }

  function tick(item: Element): void {
    const key = item.getAttribute('data-objective');
    const objective = model.journey.objectives.find((one) => one.key === key);
    const isDone = objective?.completed_at !== undefined;
    item.classList.toggle('is-done', isDone);
    item.append(unseen(` (${isDone ? words.done : words.open})`));
  }

  return view;
}
