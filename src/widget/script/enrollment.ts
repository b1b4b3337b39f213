import { Refusal } from './client.ts';
import type { Client } from './client.ts';
import { element, labelled, onSubmit } from './dom.ts';
import type { Model } from './model.ts';
import type { Words } from './words.ts';

/** Shows the enrollment form to a visitor; `onEnrolled` receives the journey that begins. */
export function enrollmentView(
  client: Client,
  words: Words,
  onEnrolled: (model: Model) => Promise<void>,
): HTMLElement {
  const field = (name: string, type: string, autocomplete: string, required: boolean) =>
    element('input', { name, type, autocomplete, required });
  const alert = element('p', { role: 'alert' });
  const form = element(
    'form',
    {},
    labelled(words.first_name, field('first_name', 'text', 'given-name', true)),
    labelled(words.last_name, field('last_name', 'text', 'family-name', false)),
    labelled(words.email, field('email', 'email', 'email', true)),
    alert,
    element('button', { type: 'submit' }, words.enroll),
  );
  onSubmit(form, async () => {
    alert.textContent = '';
    const given = [...new FormData(form)].filter(([, value]) => value !== '');
    try {
      await onEnrolled(await client.enroll(Object.fromEntries(given)));
    } catch (error) {
      const isWrong = error instanceof Refusal && error.code === 'validation_failed';
      alert.textContent = isWrong ? words.check : words.failed;
    }
  });
  return element(
    'section',
    { 'aria-labelledby': 'enroll' },
    element('h1', { id: 'enroll', tabindex: '-1' }, words.enroll),
    form,
  );
}
