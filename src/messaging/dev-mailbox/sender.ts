import type { Database } from '../../platform/database/client.ts';
import { isUnavailable } from '../../platform/database/failures.ts';
import type { OutgoingMessage, SendResult, Sender } from '../providers/sender.ts';
import { insertMailboxMessages } from './queries.ts';

/** Messages are collected for this long and stored together. */
const gatherMs = 5;

interface Waiting {
  message: OutgoingMessage;
  answer(result: SendResult): void;
}

/** Stores messages in a table instead of sending them: for development and for trials. */
export function createMailboxSender(database: Database): Sender {
  let gathered: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function keep(): Promise<void> {
    timer = undefined;
    const batch = gathered;
    gathered = [];
    const rows = batch.map(({ message: { teamId, id, contactId, expiresAt, content } }) => ({
      team_id: teamId,
      id,
      contact_id: contactId ?? null,
      channel: content.channel,
      content,
      recipient: recipientOf(content),
      expires_at: expiresAt ?? null,
    }));
    try {
      await database.transact((sql) => insertMailboxMessages(sql, rows));
      for (const { message, answer } of batch) {
        answer({
          kind: 'sent',
          providerMessageId: message.id,
          recipient: recipientOf(message.content),
        });
      }
    } catch (error) {
      const code = isUnavailable(error) ? 'mailbox_away' : 'mailbox_refuses';
      for (const { answer } of batch) answer({ kind: 'later', code });
    }
  }

  return {
    provider: 'mailbox',
    places: 400,
    reports: false,
    isSilent: true,
    send: (message) =>
      new Promise((answer) => {
        gathered.push({ message, answer });
        timer ??= setTimeout(() => {
          keep().catch(() => answer({ kind: 'later', code: 'mailbox_refuses' }));
        }, gatherMs);
      }),
    close: () => Promise.resolve(),
  };
}

const recipientOf = (content: OutgoingMessage['content']) =>
  content.channel === 'push' ? (content.tokens[0] ?? '') : content.to;
