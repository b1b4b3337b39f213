import type { SendingConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { createMailboxSender } from '../dev-mailbox/sender.ts';
import { createPushASender, createPushBSender } from './push.ts';
import type { OutgoingMessage, Sender } from './sender.ts';
import { createSmsASender, createSmsBSender } from './sms.ts';
import { createSmtpSender } from './smtp.ts';
import { unconfiguredSender } from './unconfigured.ts';

/** The way out of each channel. */
export interface Senders {
  of: Readonly<Record<OutgoingMessage['content']['channel'], Sender>>;
  close(): Promise<void>;
}

const smsSenders = { sms_a: createSmsASender, sms_b: createSmsBSender };
const pushSenders = { push_a: createPushASender, push_b: createPushBSender };

/** Ways out as the settings choose them; without a provider the mailbox, where that is allowed. */
export function createSenders(
  { smtp, sms, push, usesMailbox }: Pick<SendingConfig, 'smtp' | 'sms' | 'push' | 'usesMailbox'>,
  { database, egress }: { database: Database; egress: Egress },
): Senders {
  const fallback = usesMailbox ? createMailboxSender(database) : unconfiguredSender;
  const of = {
    email: smtp ? createSmtpSender(smtp) : fallback,
    sms: sms ? smsSenders[sms.kind](egress, sms, sms.kind) : fallback,
    push: push ? pushSenders[push.kind](egress, push, push.kind) : fallback,
  };
  return {
    of,
    async close() {
      await Promise.all([...new Set(Object.values(of))].map((sender) => sender.close()));
    },
  };
}
