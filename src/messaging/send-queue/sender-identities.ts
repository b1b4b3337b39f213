import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { SendingDomainConfig } from '../../platform/config.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import { dkimKeySealContext, listVerifiedDomains } from '../../team/sending-domains/queries.ts';
import { isAllowedSender } from '../../team/sending-domains/sender.ts';
import { coveringDomain } from '../../team/sending-domains/rules.ts';
import type { DkimKey } from '../providers/sender.ts';
import type { ClaimedSend } from './queries.ts';

type Sending = Pick<MessageRow, 'team_id' | 'from_email'>;

/** The senders that teams may use at this moment. */
export interface SenderIdentities {
  /** True also for a message without a sender of its own. */
  isAllowed(message: Sending): boolean;
  /** Undefined where the sender's domain has published no key of ours. */
  dkimOf(message: Sending): DkimKey | undefined;
}

/** Reads the verified domains of the teams of claimed e-mails. */
export async function readIdentities(
  sql: Sql,
  { keyring, domains }: { keyring: Keyring; domains: SendingDomainConfig },
  claimed: readonly ClaimedSend[],
): Promise<SenderIdentities> {
  const emails = claimed.filter(({ channel }) => channel === 'email');
  const verified = await listVerifiedDomains(sql, [...new Set(emails.map((one) => one.team_id))]);
  const of = (teamId: string) => verified.filter(({ team_id }) => team_id === teamId);
  return {
    isAllowed: ({ team_id, from_email: address }) =>
      address === null || isAllowedSender(domains, of(team_id), address),
    dkimOf({ team_id, from_email: address }) {
      const covering = address === null ? undefined : coveringDomain(of(team_id), address);
      if (!covering || covering.sealed_dkim_key === null) return undefined;
      const { id, domain, dkim_selector, sealed_dkim_key } = covering;
      const privateKey = keyring.open(sealed_dkim_key, dkimKeySealContext(team_id, id));
      return { domainName: domain, keySelector: dkim_selector, privateKey };
    },
  };
}
