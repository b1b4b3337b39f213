import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { Client } from './client.ts';
import { element, labeled } from './dom.ts';
import { takeForm } from './forms.ts';
import type { Settings } from './model.ts';
import type { Words } from './words.ts';

/** Shows a result to the recipient. */
export type Say = (text: string) => void;

export interface SettingsPlace {
  words: Words;
  say: Say;
  /** Records that the recipient has used the widget of a page; absent outside of pages. */
  record?: (kind: string, properties: object) => Promise<void>;
}

/** The view of a widget with a kind of its own, by its settings. */
export function settingsView(
  { opt_in, card_on_file, mobile_app }: Settings,
  client: Client,
  place: SettingsPlace,
): HTMLElement[] {
  return [
    ...(opt_in ? [optIn(opt_in, client, place)] : []),
    ...(card_on_file?.merchants.length ? [merchants(card_on_file.merchants, client, place)] : []),
    ...(mobile_app ? [apps(mobile_app, client, place)] : []),
  ];
}

function choices(
  legend: string,
  options: readonly { name: string; label: string }[],
  words: Words,
) {
  const boxes = options.map(({ name, label }) => {
    const box = element('input', { type: 'checkbox', name });
    const row = labeled(label, box);
    row.className = 'check';
    row.prepend(box);
    return { box, row };
  });
  const form = element(
    'form',
    {},
    element('fieldset', {}, element('legend', {}, legend), ...boxes.map(({ row }) => row)),
    element('button', { type: 'submit' }, words.save),
  );
  return { form, boxes: boxes.map(({ box }) => box) };
}

function optIn(
  { channels }: NonNullable<Settings['opt_in']>,
  client: Client,
  { words, say, record }: SettingsPlace,
): HTMLElement {
  const options = channels.map((name) => ({ name, label: words[name] }));
  const { form, boxes } = choices(words.channels, options, words);
  takeForm(form, words, async () => {
    let isPending = false;
    for (const [at, channel] of channels.entries()) {
      const status = boxes[at]?.checked ? 'subscribed' : 'unsubscribed';
      const wording = `${words.channels} ${words[channel]}`;
      const said = await client.consent(channel, status, wording);
      isPending ||= said.status === 'pending';
    }
    await record?.('page.form_submitted', {});
    say(isPending ? words.pending : words.saved);
  });
  return form;
}

function merchants(
  names: readonly string[],
  client: Client,
  { words, say, record }: SettingsPlace,
): HTMLElement {
  const options = names.map((name) => ({ name, label: name }));
  const { form, boxes } = choices(words.merchants, options, words);
  takeForm(form, words, async () => {
    const chosen = boxes.filter(({ checked }) => checked).map(({ name }) => name);
    const kind = 'widget.submitted';
    if (chosen.length > 0) {
      await client.record(...chosen.map((merchant) => ({ kind, properties: { merchant } })));
    }
    await record?.('page.form_submitted', {});
    say(words.saved);
  });
  return form;
}

function apps(
  { ios_url, android_url }: NonNullable<Settings['mobile_app']>,
  client: Client,
  { words, record }: SettingsPlace,
): HTMLElement {
  const link = (href: string | undefined, platform: string, label: string) => {
    if (href === undefined || !isSafeUrl(href, 'app')) return [];
    const anchor = element('a', { class: 'button', href }, label);
    anchor.addEventListener('click', () => {
      // The page is left immediately, even if this does not arrive.
      client.record({ kind: 'widget.submitted', properties: { platform } }).catch(() => undefined);
      record?.('page.cta_clicked', { label }).catch(() => undefined);
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
