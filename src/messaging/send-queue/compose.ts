import type { Keyring } from '../../platform/auth/keyring.ts';
import { escapeHtml } from '../../platform/content/html.ts';
import {
  languageAttributes,
  probableLanguageAttributes,
} from '../../platform/content/language-attributes.ts';
import { lookUpLanguage } from '../../platform/schema/language.ts';
import type { DkimKey, OutgoingMessage } from '../providers/sender.ts';
import { linkUrl } from '../journey-link.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { BlockContent } from '../../campaigns/rendering/blocks.ts';
import { renderMessage } from '../../campaigns/rendering/message.ts';
import type { RenderedMessage } from '../../campaigns/rendering/message.ts';
import { valuesFor } from '../../campaigns/rendering/audience.ts';
import type { Values } from '../../platform/content/liquid.ts';
import { layOut } from '../mail-layout/layout.ts';
import type { MailChoices } from '../mail-layout/layout.ts';
import { hasOwnLayout } from '../mail-layout/rules.ts';
import type { MailLook } from '../preferences/queries.ts';
import type { Recipient } from '../recipients/queries.ts';
import { createTracker, withTrackedLinks } from '../tracking/rewrite.ts';
import type { Tracker, TrackingOrder } from '../tracking/rewrite.ts';
import { choiceUrls } from '../unsubscribing/token.ts';
import type { QueuedDelivery } from './queries.ts';

/** Settings that all messages of a process share. */
export interface SenderContext {
  keyring: Keyring;
  publicBaseUrl: string;
  /** Sender address of e-mails that name none. */
  defaultFrom: string;
}

/** Address of a message: an e-mail address, a number, or tokens of devices. */
export type Address = readonly [string, ...string[]];

/** Input of a message for one recipient. */
export interface Draft {
  teamId: string;
  /** Id of the delivery or of the test. */
  id: string;
  message: MessageRow;
  blocks: readonly BlockContent[];
  address: Address;
  values: Values;
  teamLocale: string;
  /** The look of the team, for e-mails. */
  look: MailLook | undefined;
  variantKey?: string | undefined;
  /** For the header by which mail programs unsubscribe. */
  unsubscribeUrl?: string | undefined;
  /** Links in the footer. */
  choices?: MailChoices;
  /** Key of the sender's domain. */
  dkim?: DkimKey | undefined;
  /** For an e-mail whose opens or clicks are tracked. */
  tracker?: Tracker | undefined;
}

/** The message of a delivery. Throws 422 if rendering exceeds its limits. */
export function composeDelivery(
  letterhead: SenderContext,
  delivery: QueuedDelivery,
  recipient: Recipient,
  {
    data,
    tracking,
    ...parts
  }: Pick<Draft, 'message' | 'blocks' | 'address' | 'dkim' | 'look'> & {
    data: object;
    tracking: TrackingOrder | undefined;
  },
): OutgoingMessage {
  const { keyring, publicBaseUrl } = letterhead;
  const { team_id, id, inserted_at, journey_id, contact_id, message_id, link_generation } =
    delivery;
  const urls = choiceUrls(publicBaseUrl, keyring, { team_id, id });
  const journey =
    journey_id === null || link_generation === null
      ? {}
      : { link_url: linkUrl(publicBaseUrl, keyring, { team_id, id: journey_id, link_generation }) };
  const content = compose(letterhead, {
    ...parts,
    tracker: tracking && createTracker(letterhead, { team_id, id, inserted_at }, tracking),
    teamId: team_id,
    id,
    variantKey: delivery.variant_key ?? undefined,
    teamLocale: delivery.team_locale,
    values: valuesFor({
      team: {
        name: delivery.team_name,
        locale: delivery.team_locale,
        timezone: delivery.team_timezone,
        currency: delivery.team_currency,
      },
      contact: recipient,
      surroundings: {
        template: { name: delivery.template_name, deadline_at: delivery.template_deadline_at },
        journey,
        ...urls,
        data,
      },
    }),
    choices: choicesOf(parts.message, urls),
    ...(parts.message.list_unsubscribe && { unsubscribeUrl: urls.unsubscribe_url }),
  });
  const correlation = {
    do_message_id: message_id,
    do_contact_id: contact_id,
    ...(journey_id !== null && { do_journey_id: journey_id }),
  };
  return { teamId: team_id, id, contactId: contact_id, correlation, content };
}

/** The addresses that a message offers: topics are for marketing alone. */
export function choicesOf(
  { list_unsubscribe, purpose }: MessageRow,
  urls: ReturnType<typeof choiceUrls>,
): MailChoices {
  return {
    ...(list_unsubscribe && { unsubscribeUrl: urls.unsubscribe_url }),
    ...(purpose === 'marketing' && { preferencesUrl: urls.preferences_url }),
  };
}

/** The content of a message for one recipient. Throws 422 if rendering exceeds its limits. */
export function compose(
  { defaultFrom }: Pick<SenderContext, 'defaultFrom'>,
  draft: Draft,
): OutgoingMessage['content'] {
  const { message, blocks, address, values, teamLocale, variantKey, dkim } = draft;
  const rendered = renderMessage(message, blocks, { values, variantKey });
  const [to] = address;
  switch (rendered.channel) {
    case 'email':
      return {
        channel: 'email',
        to,
        from: { name: rendered.from_name, address: message.from_email ?? defaultFrom },
        replyTo: message.reply_to ?? undefined,
        subject: rendered.subject ?? '',
        html: documentOf(rendered, attributesOf(message, values, teamLocale), draft),
        text: rendered.text,
        unsubscribeUrl: draft.unsubscribeUrl,
        dkim,
      };
    case 'sms':
      return { channel: 'sms', to, from: message.sender ?? undefined, body: rendered.body };
    case 'push':
      return {
        channel: 'push',
        tokens: address,
        title: rendered.title,
        body: rendered.body,
        imageUrl: rendered.image_url,
        deepLink: rendered.deep_link,
        data: message.data ?? {},
      };
    default:
      return rendered satisfies never;
  }
}

/** The language of the texts that were chosen for a recipient; the team's where no other is named. */
function attributesOf({ localizations }: MessageRow, { locale }: Values, teamLocale: string) {
  const language = lookUpLanguage(locale, Object.keys(localizations));
  return language === undefined
    ? probableLanguageAttributes(teamLocale)
    : languageAttributes(language);
}

/**
 * The HTML of an e-mail as a document: in the layout of the team, unless it has one of its own. Most
 * programs show its beginning next to the subject: the preheader, hidden. Some drop the attributes
 * of `html` and `body`, so that an element repeats them, and some take style sheets of the head only.
 */
function documentOf(
  { html, text, subject = '', preheader = '' }: Extract<RenderedMessage, { channel: 'email' }>,
  language: string,
  { look, tracker, values, choices = {} }: Draft,
) {
  if (look && !hasOwnLayout(html)) {
    return layOut({
      ...{ subject, preheader, text, language, look, locale: values.locale },
      html: withTrackedLinks(html, tracker && { ...tracker, picture: '' }),
      choices: look.has_topics ? choices : { unsubscribeUrl: choices.unsubscribeUrl },
      end: tracker?.picture ?? '',
    });
  }
  const beginning =
    preheader === ''
      ? ''
      : `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>`;
  const [, rules = '', content = html] = /^<style>([^<]*)<\/style>([^]*)$/.exec(html) ?? [];
  // Authors of style sheets count on a body without a margin, as mail programs show it.
  const styleSheet = rules === '' ? '' : `<style>\nbody{margin:0}${rules}</style>`;
  return [
    `<!doctype html><html ${language}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(subject)}</title>${styleSheet}</head>`,
    `<body><div ${language}>${beginning}${withTrackedLinks(content, tracker)}</div></body></html>`,
  ].join('');
}
