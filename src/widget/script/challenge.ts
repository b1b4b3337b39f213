import { Refusal } from './client.ts';
import type { Client } from './client.ts';
import { element, labeled } from './dom.ts';
import { button } from './parts.ts';
import { takeForm } from './forms.ts';
import type { Challenge, Factor, Model } from './model.ts';
import { filled } from './words.ts';
import type { Words } from './words.ts';

const codes: readonly Factor[] = ['otp_sms', 'otp_email'];

/** Autofill values for browsers. */
const fillings: Readonly<Record<Factor, string>> = {
  postal_code: 'postal-code',
  date_of_birth: 'bday',
  unique_id_last4: 'off',
  otp_sms: 'one-time-code',
  otp_email: 'one-time-code',
};

/** The code that is available once wrong answers have ended the questions. */
function codeInsteadOf({ meta }: Refusal): Factor | undefined {
  const offered = meta['offered_factors'];
  return codes.find((code) => Array.isArray(offered) && offered.includes(code));
}

interface Asking {
  words: Words;
  level: number;
  /** Otherwise a button asks. */
  asksAtOnce: boolean;
  onPassed: () => Promise<void>;
}

/** The choice between questions. */
function choiceOf(
  words: Words,
  chosen: Factor,
  offered: readonly Factor[],
  choose: (factor: Factor | undefined) => void,
): HTMLElement {
  const options = offered.map((factor) =>
    element('option', { value: factor, selected: factor === chosen }, words[factor]),
  );
  const select = element('select', { name: 'factor' }, ...options);
  select.addEventListener('change', () => {
    choose(offered.find((one) => one === select.value));
  });
  return labeled(words.question, select);
}

/** A question to the recipient; `onPassed` when it is answered. */
function challengeView(
  client: Client,
  { words, level, asksAtOnce, locale, onPassed }: Asking & { locale: string },
): HTMLElement {
  const alert = element('p', { role: 'alert', id: 'wrong', tabindex: '-1' });
  const place = element('div', {});
  const view = element(
    'section',
    { 'aria-labelledby': 'confirm', class: 'challenge' },
    element(level === 1 ? 'h2' : 'h3', { id: 'confirm' }, words.confirm),
    element('p', {}, words.why),
    place,
    alert,
  );

  async function ask(factor?: Factor, remark = ''): Promise<void> {
    try {
      place.replaceChildren(formFor(await client.ask(factor)));
      alert.textContent = remark;
    } catch (error) {
      await refuse(error);
      if (error instanceof Refusal && error.code === 'identity_locked') return;
      const again = askButton(words.retry, factor);
      const hadFocus = place.matches(':focus-within');
      place.replaceChildren(again);
      if (hadFocus) again.focus();
    }
  }

  function askButton(text: string, factor?: Factor): HTMLButtonElement {
    const press = () => {
      alert.textContent = '';
      void ask(factor).then(() => place.querySelector('input')?.focus());
    };
    return button('', press, text);
  }

  function formFor({ id, factor, offered_factors }: Challenge): HTMLFormElement {
    const input = element('input', {
      type: factor === 'date_of_birth' ? 'date' : 'text',
      name: 'answer',
      required: true,
      autocomplete: fillings[factor],
      ...(fillings[factor] === 'one-time-code' && { inputmode: 'numeric' }),
      'aria-describedby': 'wrong',
    });
    const form = element('form', {}, labeled(words[factor], input));
    if (offered_factors.length > 1) form.prepend(choiceOf(words, factor, offered_factors, choose));
    form.append(element('button', { type: 'submit' }, words.answer));
    takeForm(form, words, async () => {
      alert.textContent = '';
      try {
        const verdict = await client.answer(id, input.value);
        if (verdict.status === 'passed') {
          await onPassed();
          return;
        }
        alert.textContent = filled(words.wrong, { left: verdict.attempts_left ?? 0 });
        input.setAttribute('aria-invalid', 'true');
        input.setAttribute('aria-describedby', alert.id);
        input.focus();
        input.select();
      } catch (error) {
        await refuse(error);
      }
    });
    return form;
  }

  function choose(factor: Factor | undefined): void {
    alert.textContent = '';
    void ask(factor).then(() => place.querySelector('select')?.focus());
  }

  async function refuse(error: unknown): Promise<void> {
    const refusal = error instanceof Refusal ? error : new Refusal('offline');
    if (refusal.code !== 'identity_locked') {
      alert.textContent = refusal.code === 'offline' ? words.offline : words.failed;
      return;
    }
    const code = codeInsteadOf(refusal);
    if (code) {
      await ask(code, words.instead);
      return;
    }
    // The whole minute after it, without seconds.
    const ends = new Date(Date.parse(String(refusal.meta['retry_at'])) + 59_999);
    const time = ends.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
    const hadFocus = place.matches(':focus-within');
    place.replaceChildren();
    alert.textContent = filled(words.blocked, { time });
    if (hadFocus) alert.focus();
  }

  if (asksAtOnce) void ask();
  else place.replaceChildren(askButton(words.answer));
  return view;
}

/** A page that waits for its recipient to prove who they are. */
export function lockedView(
  { session, locale }: Model,
  title: string,
  client: Client,
  asking: Asking,
): HTMLElement {
  const { words, level } = asking;
  const name = level === 1 ? 'h1' : 'h2';
  const heading = element(name, { class: 'title', tabindex: '-1', lang: locale }, title);
  // The assurance of a challenge belongs to the cookie.
  const more = !session.can_verify
    ? element('p', {}, words.locked)
    : client.keepsCookie()
      ? challengeView(client, { ...asking, locale })
      : element('p', {}, words.no_cookie);
  return element('div', { class: 'page' }, heading, more);
}
