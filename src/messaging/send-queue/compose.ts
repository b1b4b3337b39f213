import type { Keyring } from '../../platform/auth/keyring.ts';
import { escapeHtml, textOfMarkup } from '../../platform/content/html.ts';
import type { DkimKey, OutgoingMessage } from '../providers/sender.ts';
import { linkUrl } from '../journey-link.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import type { BlockContent } from '../../campaigns/rendering/blocks.ts';
import { renderMessage } from '../../campaigns/rendering/message.ts';
import { valuesOf } from '../../campaigns/rendering/variables.ts';
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
  /** Whose values fill in the message: the first that has one. */
  sources: readonly object[];
  locale: string | undefined;
  variantKey?: string | undefined;
  unsubscribeUrl?: string | undefined;
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
  }: Pick<Draft, 'message' | 'blocks' | 'address' | 'dkim'> & {
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
    sources: [
      {
        contact: { ...recipient, timezone: recipient.timezone ?? delivery.team_timezone },
        team: { name: delivery.team_name },
        template: { name: delivery.template_name, deadline_at: delivery.template_deadline_at },
        journey,
        ...urls,
        data,
      },
    ],
    locale: recipient.locale ?? delivery.team_locale,
    ...(parts.message.list_unsubscribe && { unsubscribeUrl: urls.unsubscribe_url }),
  });
  const correlation = {
    do_message_id: message_id,
    do_contact_id: contact_id,
    ...(journey_id !== null && { do_journey_id: journey_id }),
  };
  return { teamId: team_id, id, contactId: contact_id, correlation, content };
}

/** The content of a message for one recipient. Throws 422 if rendering exceeds its limits. */
export function compose(
  { defaultFrom }: Pick<SenderContext, 'defaultFrom'>,
  {
    message,
    blocks,
    address,
    sources,
    locale,
    variantKey,
    unsubscribeUrl: url,
    dkim,
    tracker,
  }: Draft,
): OutgoingMessage['content'] {
  const whom = { values: valuesOf(...sources), locale, variantKey };
  const rendered = renderMessage(message, blocks, whom);
  const [to] = address;
  switch (rendered.channel) {
    case 'email':
      return {
        channel: 'email',
        to,
        from: { name: rendered.from_name, address: message.from_email ?? defaultFrom },
        replyTo: message.reply_to ?? undefined,
        subject: rendered.subject ?? '',
        html: documentOf(rendered, tracker),
        text: rendered.text ?? textOfMarkup(rendered.html),
        unsubscribeUrl: url,
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

/** Most programs show the beginning of an e-mail next to its subject: the preheader, hidden. */
function documentOf(
  { html, preheader = '' }: { html: string; preheader?: string | undefined },
  tracker: Tracker | undefined,
) {
  const beginning =
    preheader === ''
      ? ''
      : `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>`;
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${beginning}${withTrackedLinks(html, tracker)}</body></html>`;
}
