import type { SendingConfig } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { looksLikeAddress } from '../../platform/schema/email.ts';
import { maySendFrom } from '../../team/sending-domains/sender.ts';
import { smsSenderWritten } from '../hooks.ts';
import type { MessageContent } from './message.ts';

/** Problems with the changed fields in whose name a message is sent. */
export async function senderProblems(
  sql: Sql,
  sending: SendingConfig,
  teamId: string,
  requested: MessageContent,
  changed: readonly string[],
): Promise<Problem[]> {
  const { channel, sender, from_email, reply_to } = requested;
  const problems: Problem[] = [];
  const hasChanged = (...fields: readonly string[]) =>
    fields.some((field) => changed.includes(field));
  if (channel === 'sms' && sender !== null && hasChanged('from_email', 'sender')) {
    await smsSenderWritten(sql, teamId, { sender, sending, problems });
  }
  if (channel !== 'email') return problems;
  // Replies go to a domain of the team too, as recipients expect of a message in its name.
  for (const [field, address] of Object.entries({ from_email, reply_to })) {
    if (address === null || !hasChanged(field)) continue;
    // Checked again before each message is sent.
    if (await maySendFrom(sql, sending.domains, teamId, address)) continue;
    problems.push({
      code: 'sender_not_verified',
      detail: `${field} is not an address of a verified sending domain of the team.`,
      meta: { pointer: `/${field}` },
    });
  }
  if (hasChanged('from_name', 'localizations', 'variants'))
    problems.push(...nameProblems(requested));
  return problems;
}

/** Mail programs show the name in place of the address. */
function nameProblems({ from_name, localizations, variants }: MessageContent): Problem[] {
  const names: [string, string | null | undefined][] = [
    ['/from_name', from_name],
    ...Object.entries(localizations).map(([locale, texts]): [string, string | undefined] => [
      `/localizations/${locale}/from_name`,
      texts.from_name,
    ]),
    ...variants.map(({ overrides }, at): [string, string | undefined] => [
      `/variants/${String(at)}/overrides/from_name`,
      overrides.from_name,
    ]),
  ];
  return names
    .filter(([, name]) => looksLikeAddress(name ?? ''))
    .map(([pointer]) => ({
      code: 'validation_failed',
      detail: 'A sender name must not look like an e-mail address.',
      meta: { pointer, rule: 'format' },
    }));
}
