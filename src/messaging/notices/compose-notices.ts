import { escapeHtml } from '../../platform/content/html.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { OutgoingMessage } from '../providers/sender.ts';
import { confirmationUrl } from '../confirming/token.ts';
import type { SenderContext } from '../send-queue/compose.ts';
import type { TakenSend } from '../send-queue/queries.ts';
import { codePlace } from './code.ts';
import { listWaitingCodes, listWaitingConfirmations } from './queries.ts';
import type { WaitingCode, WaitingConfirmation } from './queries.ts';

/** Texts of a notice, in plain text; a link is shown as its URL. */
interface Words {
  subject: string;
  says: string;
  link?: string;
  warns: string;
}

/** Renders the notices that are still of use to their contact; the others are to be dropped. */
export async function composeNotices(
  sql: Sql,
  letterhead: SenderContext,
  taken: readonly TakenSend[],
): Promise<Map<string, OutgoingMessage>> {
  const about = (notice: TakenSend['notice']) => taken.filter((send) => send.notice === notice);
  const [codes, confirmations] = await Promise.all([
    listWaitingCodes(sql, about('identity_code')),
    listWaitingConfirmations(sql, about('consent_confirmation')),
  ]);
  const ends = new Map(codes.map(({ id, expires_at: expiresAt }) => [id, { expiresAt }]));
  const words = [
    ...codes.map((one) => [one, wordsOfCode(letterhead, one)] as const),
    ...confirmations.map((one) => [one, wordsOfConfirmation(letterhead, one)] as const),
  ];
  const channels = new Map(taken.map(({ id, channel }) => [id, channel]));
  const composed = words.flatMap(([to, said]) => {
    const content = contentOf(channels.get(to.id), to, said, letterhead.defaultFrom);
    const { team_id: teamId, id, contact_id: contactId } = to;
    if (!content) return [];
    const message = { teamId, id, contactId, correlation: {}, content, ...ends.get(id) };
    return [[id, message] as const];
  });
  return new Map(composed);
}

function wordsOfCode(
  { keyring }: SenderContext,
  { team_id, id, sealed_code, team_name }: WaitingCode,
): Words {
  const code = keyring.open(sealed_code, codePlace(team_id, id));
  return {
    subject: `Your code: ${code}`,
    says: `${code} is your code from ${team_name}.`,
    warns:
      'It is valid for ten minutes. If you did not ask for it, do nothing, and do not share it.',
  };
}

function wordsOfConfirmation(
  { keyring, publicBaseUrl }: SenderContext,
  { team_name, ...confirmation }: WaitingConfirmation,
): Words {
  return {
    subject: `Please confirm: messages from ${team_name}`,
    says: `Do you want to receive messages from ${team_name}? Please confirm it here:`,
    link: confirmationUrl(publicBaseUrl, keyring, confirmation),
    warns: 'If you did not ask for them, do nothing: you will receive none.',
  };
}

/** Undefined where the contact has no such address any more. */
function contentOf(
  channel: TakenSend['channel'] | undefined,
  { email, phone, team_name }: WaitingConfirmation,
  { subject, says, link, warns }: Words,
  defaultFrom: string,
): OutgoingMessage['content'] | undefined {
  const lines = [says, ...(link === undefined ? [] : [link]), warns];
  if (channel === 'sms' && phone !== null) return { channel, to: phone, body: lines.join(' ') };
  if (channel !== 'email' || email === null) return undefined;
  const paragraphs = lines.map((line) =>
    line === link ? `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>` : escapeHtml(line),
  );
  const body = paragraphs.map((line) => `<p>${line}</p>`).join('');
  return {
    channel,
    to: email,
    from: { name: team_name, address: defaultFrom },
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>${body}</body></html>`,
  };
}
