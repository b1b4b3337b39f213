import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { Client } from './client.ts';
import { element, onSubmit } from './dom.ts';
import type { Settings } from './model.ts';
import type { Words } from './words.ts';

/** Shows a result to the recipient. */
export type Say = (text: string) => void;

/** The view of a widget with a kind of its own, by its settings. */
export function settingsView(
  { opt_in, card_on_file, mobile_app }: Settings,
  client: Client,
  words: Words,
  say: Say,
): HTMLElement[] {
  return [
    ...(opt_in ? [optIn(opt_in, client, words, say)] : []),
    ...(card_on_file?.merchants.length
      ? [merchants(card_on_file.merchants, client, words, say)]
      : []),
    ...(mobile_app ? [apps(mobile_app, client, words)] : []),
  ];
}

function choices(
  legend: string,
  options: readonly { name: string; label: string }[],
  words: Words,
) {
  const boxes = options.map(({ name, label }) => {
    const box = element('input', { type: 'checkbox', name });
    return { box, label: element('label', {}, box, label) };
  });
  const form = element(
    'form',
    {},
    element('fieldset', {}, element('legend', {}, legend), ...boxes.map(({ label }) => label)),
    element('button', { type: 'submit' }, words.save),
  );
  return { form, boxes: boxes.map(({ box }) => box) };
}

function optIn(
  { channels }: NonNullable<Settings['opt_in']>,
  client: Client,
  words: Words,
  say: Say,
): HTMLElement {
  const options = channels.map((name) => ({ name, label: words[name] }));
  const { form, boxes } = choices(words.channels, options, words);
  onSubmit(form, async () => {
    try {
      let isPending = false;
      for (const [at, channel] of channels.entries()) {
        const status = boxes[at]?.checked ? 'subscribed' : 'unsubscribed';
        const wording = `${words.channels} ${words[channel]}`;
        const said = await client.consent(channel, status, wording);
        isPending ||= said.status === 'pending';
      }
      say(isPending ? words.pending : words.saved);
    } catch {
      say(words.failed);
    }
  });
  return form;
}

function merchants(names: readonly string[], client: Client, words: Words, say: Say): HTMLElement {
  const options = names.map((name) => ({ name, label: name }));
  const { form, boxes } = choices(words.merchants, options, words);
  onSubmit(form, async () => {
    const chosen = boxes.filter(({ checked }) => checked).map(({ name }) => name);
    try {
      const kind = 'widget.submitted';
      await client.record(...chosen.map((merchant) => ({ kind, properties: { merchant } })));
      say(words.saved);
    } catch {
      say(words.failed);
    }
  });
  return form;
}

function apps(
  { ios_url, android_url }: NonNullable<Settings['mobile_app']>,
  client: Client,
  words: Words,
): HTMLElement {
  const link = (href: string | undefined, platform: string, label: string) => {
    if (href === undefined || !isSafeUrl(href, 'app')) return [];
    const anchor = element('a', { class: 'button', href }, label);
    anchor.addEventListener('click', () => {
      // The page is left immediately, even if this does not arrive.
      client.record({ kind: 'widget.submitted', properties: { platform } }).catch(() => undefined);
    });
    return [element('p', {}, anchor)];
  };
  return element(
    'section',
    { 'aria-label': words.apps },
    ...link(ios_url, 'ios', words.ios),
    ...link(android_url, 'android', words.android),
  );
}
