import type { WrittenSender } from '../../campaigns/hooks.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { listTeamProviders } from './queries.ts';
import { isAllowedSmsSender } from './rules.ts';

/** Adds a problem where a team may not name the sender; asked again before a message is sent. */
export async function checkSmsSender(
  sql: Sql,
  teamId: string,
  { sender, sending, problems }: WrittenSender,
): Promise<void> {
  const providers = await listTeamProviders(sql, [teamId]);
  if (isAllowedSmsSender(sending, providers, sender)) return;
  problems.push({
    code: 'sender_not_verified',
    detail: 'sender is not among the senders of an active SMS provider of the team.',
    meta: { pointer: '/sender' },
  });
}
