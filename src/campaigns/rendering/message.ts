import { renderText } from '../../platform/content/liquid.ts';
import type { Values } from '../../platform/content/liquid.ts';
import { textOfMarkup } from '../../platform/content/text-part.ts';
import { nextTurn } from '../../platform/http/event-loop.ts';
import { looksLikeAddress } from '../../platform/schema/email.ts';
import { lookUpLanguage } from '../../platform/schema/language.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { UrlUse } from '../../platform/schema/safe-url.ts';
import type { MessageContent, Overrides } from '../messages/message.ts';
import { smsSegments } from '../messages/sms-segments.ts';
import { penFor, penForBlocks, renderBlocks } from './blocks.ts';
import type { BlockContent, Pen } from './blocks.ts';

/** For whom a message is rendered. */
export interface Recipient {
  values: Values;
  /** The variant that the recipient has; none for the message as it is. */
  variantKey?: string | undefined;
}

/**
 * The texts of a message in the language of the recipient. A variant overrides the message's own
 * texts only: its own have their language, and would not fit those of a localization.
 */
function textsFor(message: MessageContent, { values, variantKey }: Recipient): Overrides {
  const { localizations, variants } = message;
  const language = lookUpLanguage(values.locale, Object.keys(localizations));
  const overrides =
    language === undefined
      ? variants.find(({ key }) => key === variantKey)?.overrides
      : localizations[language];
  const chosen: { [Name in keyof Overrides]: Overrides[Name] | null } = {
    ...message,
    ...overrides,
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== null));
}

/** A name that data of the recipient makes look like an address is left out. */
const nameShown = (name: string | undefined) =>
  name !== undefined && looksLikeAddress(name) ? undefined : name;

/** The same in turns of the event loop. Throws 422 if rendering exceeds its limits. */
export async function renderMessageInTurns(
  message: MessageContent,
  blocks: readonly BlockContent[],
  recipient: Recipient,
) {
  const { body_html } = textsFor(message, recipient);
  const isEmail = message.channel === 'email';
  const emails = isEmail && body_html !== undefined ? [body_html] : [];
  const pen = await penForBlocks(isEmail ? blocks : [], recipient.values, emails);
  // The text part of a long e-mail is made of its HTML.
  if (isEmail) await nextTurn();
  return renderMessage(message, blocks, recipient, pen);
}

/** Renders a message for a recipient. Throws 422 if rendering exceeds its limits. */
export function renderMessage(
  message: MessageContent,
  blocks: readonly BlockContent[],
  recipient: Recipient,
  pen: Pen = penFor(recipient.values),
) {
  const texts = textsFor(message, recipient);
  const plain = (source: string | undefined) =>
    source === undefined ? undefined : renderText(source, recipient.values);
  const address = (source: string | undefined, use: UrlUse) => {
    const url = plain(source)?.trim();
    return url !== undefined && isSafeUrl(url, use) ? url : undefined;
  };
  // A line break would begin another header.
  const line = (source: string | undefined) => plain(source)?.replaceAll(/[\r\n]+/g, ' ');
  switch (message.channel) {
    case 'email': {
      const body = texts.body_html === undefined ? '' : pen.html(texts.body_html, 'e-mail');
      const parts = [body, renderBlocks(blocks, pen)];
      const html = parts.filter((part) => part !== '').join('\n');
      const preheader = line(texts.preheader);
      return {
        channel: message.channel,
        subject: line(texts.subject),
        preheader,
        from_name: nameShown(line(texts.from_name)),
        html,
        text: plain(texts.body_text) ?? textOfMarkup(html, preheader),
      };
    }
    case 'sms': {
      // Many languages group digits by spaces that the basic alphabet of text messages lacks.
      const body = (plain(texts.body) ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');
      return { channel: message.channel, body, sms_segments: smsSegments(body) };
    }
    case 'push':
      return {
        channel: message.channel,
        title: plain(texts.title),
        body: plain(texts.body) ?? '',
        image_url: address(texts.image_url, 'web'),
        deep_link: address(texts.deep_link, 'app'),
      };
    default:
      return message.channel satisfies never;
  }
}
export type RenderedMessage = ReturnType<typeof renderMessage>;
