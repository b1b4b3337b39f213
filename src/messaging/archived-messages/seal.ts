import type { Keyring } from '../../platform/auth/keyring.ts';
import { unpackId } from '../../platform/auth/signed-name.ts';
import type { OutgoingMessage } from '../providers/sender.ts';
import type { ArchivedContent, ArchivedMessageRow } from './archived-message.ts';

/** Facts about a message that its team archives, as they are right before it is sent. */
export interface ArchiveOrder {
  days: number;
  template_version: number;
  consent_status: ArchivedMessageRow['consent_status'];
}

/** A message that a provider took, sealed for the archive. */
export interface SealedMessage extends ArchiveOrder {
  team_id: string;
  sender: string | null;
  sealed_addresses: string | null;
  content_id: string | null;
  sealed_content: string | null;
}

export function contentSealContext(teamId: string, id: string): string[] {
  return ['archived_contents', 'content', teamId, id];
}

export function addressesSealContext(teamId: string, id: string): string[] {
  return ['archived_messages', 'addresses', teamId, id];
}

/**
 * Seals a message for the archive. Equal contents of a team have the same id, which shows nothing of
 * them.
 */
export function sealMessage(
  keyring: Keyring,
  { teamId, id, content }: Pick<OutgoingMessage, 'teamId' | 'id' | 'content'>,
  order: ArchiveOrder,
): SealedMessage {
  const text = JSON.stringify(shownOf(content));
  const { digest } = keyring.digest('identity', `archived content\n${teamId}\n${text}`);
  const contentId = unpackId(digest, 0);
  const addresses = content.channel === 'push' ? content.tokens : [content.to];
  return {
    ...order,
    team_id: teamId,
    sender: senderOf(content),
    sealed_addresses: keyring.seal(JSON.stringify(addresses), addressesSealContext(teamId, id)),
    content_id: contentId,
    sealed_content: keyring.seal(text, contentSealContext(teamId, contentId)),
  };
}

/** The line of a message whose content was lost before its outcome was known. */
export function withoutContent(teamId: string, order: ArchiveOrder): SealedMessage {
  const nothing = { sender: null, sealed_addresses: null, content_id: null, sealed_content: null };
  return { ...order, team_id: teamId, ...nothing };
}

function senderOf(content: OutgoingMessage['content']): string | null {
  if (content.channel === 'email') return content.from.address;
  return content.channel === 'sms' ? (content.from ?? null) : null;
}

/** The content by the names of the API, without address and key. */
function shownOf(content: OutgoingMessage['content']): ArchivedContent {
  switch (content.channel) {
    case 'email': {
      const { from, replyTo, subject, html, text, unsubscribeUrl } = content;
      return present({
        ...{ from_name: from.name, from_email: from.address, reply_to: replyTo },
        ...{ subject, html, text, unsubscribe_url: unsubscribeUrl },
      });
    }
    case 'sms':
      return present({ sender: content.from, body: content.body });
    case 'push': {
      const { title, body, imageUrl, deepLink, data } = content;
      return present({ title, body, image_url: imageUrl, deep_link: deepLink, data: { ...data } });
    }
    default:
      return content satisfies never;
  }
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Without fields that have no value. */
function present<Fields extends object>(fields: Fields): Present<Fields>;
function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
