import type { Sql } from '../../platform/database/sql.ts';
import { storedEmail } from '../../platform/schema/email.ts';
import { lockContacts } from '../../contacts/queries.ts';
import type { Projection, ReportedRecipient } from '../receiver.ts';
import type { Concern } from './concern.ts';

/** The recipients of an event; where its kind does not list them, what its kind means for one. */
export function recipientsIn(projection: Projection): readonly ReportedRecipient[] {
  const { recipients, kind, bounce, recipient: address } = projection;
  if (recipients) return recipients;
  switch (kind) {
    case 'message.complained':
      return [{ address, suppression: 'complaint' }];
    case 'message.bounced':
      return [{ address, suppression: bounce?.class === 'soft' ? 'soft_bounces' : 'hard_bounce' }];
    case 'message.unsubscribed':
      return [{ address, consent: 'unsubscribed' }];
    default:
      return [{ address }];
  }
}

/** The e-mail address of a recipient; where the event names none, that of its contact. */
export async function addressOf(
  sql: Sql,
  { link, teamId }: Concern,
  named: string | undefined,
): Promise<string | undefined> {
  if (named !== undefined) return bareAddress(named);
  if (link.contact_id === undefined) return undefined;
  const [contact] = await lockContacts(sql, teamId, [link.contact_id]);
  return contact?.email ?? undefined;
}

export function bareAddress(recipient: string): string | undefined {
  // "Ada <ada@example.com>"
  return storedEmail(/<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient.trim());
}
