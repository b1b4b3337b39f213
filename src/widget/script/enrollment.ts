import { Refusal } from './client.ts';
import type { Client } from './client.ts';
import { element, labeled } from './dom.ts';
import { takeForm } from './forms.ts';
import type { Model } from './model.ts';
import type { Words } from './words.ts';

/** Shows the enrollment form to a visitor; `onEnrolled` receives the journey that begins. */
export function enrollmentView(
  client: Client,
  words: Words,
  level: number,
  onEnrolled: (model: Model) => Promise<void>,
): HTMLElement {
  const field = (name: string, type: string, autocomplete: string, required: boolean) =>
    element('input', { name, type, autocomplete, required });
  const form = element(
    'form',
    {},
    labeled(words.first_name, field('first_name', 'text', 'given-name', true)),
    labeled(words.last_name, field('last_name', 'text', 'family-name', false), words.optional),
    labeled(words.email, field('email', 'email', 'email', true)),
    element('button', { type: 'submit' }, words.enroll),
  );
  takeForm(
    form,
    words,
    async () => {
      const given = [...new FormData(form)].filter(([, value]) => value !== '');
      await onEnrolled(await client.enroll(Object.fromEntries(given)));
    },
    (error) =>
      error instanceof Refusal && error.code === 'validation_failed' ? words.check : undefined,
  );
  return element(
    'section',
    { 'aria-labelledby': 'enroll' },
    element(
      level === 1 ? 'h1' : 'h2',
      { id: 'enroll', class: 'title', tabindex: '-1' },
      words.enroll,
    ),
    form,
  );
}
