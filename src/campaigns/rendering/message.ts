import { renderText } from '../../platform/content/liquid.ts';
import type { Values } from '../../platform/content/liquid.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { UrlUse } from '../../platform/schema/safe-url.ts';
import type { MessageContent, Overrides } from '../messages/message.ts';
import { smsSegments } from '../messages/rules.ts';
import { localized, penFor, renderBlocks } from './blocks.ts';
import type { BlockContent } from './blocks.ts';

/** For whom a message is rendered. */
export interface Recipient {
  values: Values;
  locale?: string | undefined;
  /** The variant that the recipient has; none for the message as it is. */
  variantKey?: string | undefined;
}

/** The texts of a message in the language, overridden by the variant. */
function textsFor(message: MessageContent, { locale, variantKey }: Recipient): Overrides {
  const variant = message.variants.find(({ key }) => key === variantKey);
  const texts = localized(message, message.localizations, locale);
  const chosen: { [Name in keyof Overrides]: Overrides[Name] | null } = {
    ...texts,
    ...variant?.overrides,
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== null));
}

/** Renders a message for a recipient. Throws 422 if rendering exceeds its limits. */
export function renderMessage(
  message: MessageContent,
  blocks: readonly BlockContent[],
  recipient: Recipient,
) {
  const texts = textsFor(message, recipient);
  const pen = penFor(recipient.values);
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
      const html = texts.body_html === undefined ? '' : pen.html(texts.body_html);
      const parts = [html, renderBlocks(blocks, pen, recipient.locale)];
      return {
        channel: message.channel,
        subject: line(texts.subject),
        preheader: line(texts.preheader),
        from_name: line(texts.from_name),
        html: parts.filter((part) => part !== '').join('\n'),
        text: plain(texts.body_text),
      };
    }
    case 'sms': {
      const body = plain(texts.body) ?? '';
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
