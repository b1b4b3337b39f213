import { addressesOf } from '../../contacts/suppressions/erased/erased.ts';
import { escapeHtml } from '../../platform/content/html.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { OutgoingMessage } from '../providers/sender.ts';
import { confirmationUrl, testRecipientUrl } from '../confirming/token.ts';
import type { SenderContext } from '../send-queue/compose.ts';
import type { TakenSend } from '../send-queue/queries.ts';
import { testRecipientPlace } from '../test-recipients/address.ts';
import { addressDigests } from './address-digests.ts';
import type { NoticeAddress } from './address-digests.ts';
import { openCode } from './code.ts';
import {
  listWaitingCodes,
  listWaitingConfirmations,
  listWaitingTestRecipients,
} from './queries.ts';
import type { WaitingCode, WaitingConfirmation, WaitingTestRecipient } from './queries.ts';

/** Texts of a notice, in plain text; a link is shown as its URL. */
interface Words {
  subject: string;
  says: string;
  link?: string;
  warns: string;
}

/** Recipient of a notice, with its addresses. */
interface Addressee extends Partial<Record<TakenSend['channel'], string | null>> {
  team_id: string;
  id: string;
  contact_id?: string;
  team_name: string;
}

type Letterhead = Omit<SenderContext, 'defaultFrom'>;

/** Renders the notices that are still of use to their recipient; the others are to be dropped. */
export async function composeNotices(
  sql: Sql,
  letterhead: Letterhead,
  taken: readonly (TakenSend & Pick<SenderContext, 'defaultFrom'>)[],
): Promise<Map<string, OutgoingMessage>> {
  const about = (notice: TakenSend['notice']) => taken.filter((send) => send.notice === notice);
  const [codes, confirmations, testers] = await Promise.all([
    listWaitingCodes(sql, about('identity_code')),
    listWaitingConfirmations(sql, about('consent_confirmation')),
    listWaitingTestRecipients(sql, about('test_recipient')),
  ]);
  const ends = new Map(codes.map(({ id, expires_at: expiresAt }) => [id, { expiresAt }]));
  const sends = new Map(taken.map((send) => [send.id, send]));
  const people = [...codes, ...confirmations];
  const digestsOf = await addressDigests(sql, letterhead.keyring, people.flatMap(addressesOf));
  const digestsNow = (one: WaitingConfirmation): readonly Buffer[] => {
    const address = addressOf(one, sends.get(one.id)?.channel);
    return address ? digestsOf(address) : [];
  };
  const words: (readonly [Addressee, Words])[] = [
    ...codes.flatMap((one) => {
      const said = wordsOfCode(letterhead, one, digestsNow(one));
      return said ? [[contactOf(one), said] as const] : [];
    }),
    ...confirmations.flatMap((one) => {
      const [digest] = digestsNow(one);
      return digest
        ? [[contactOf(one), wordsOfConfirmation(letterhead, one, digest)] as const]
        : [];
    }),
    ...testers.map((one) => [testerOf(letterhead, one), wordsOfTester(letterhead, one)] as const),
  ];
  const composed = words.flatMap(([to, said]) => {
    const content = contentOf(sends.get(to.id), to, said);
    const { team_id: teamId, id, contact_id: contactId } = to;
    if (!content) return [];
    const about = { teamId, id, ...(contactId !== undefined && { contactId }) };
    return [[id, { ...about, correlation: {}, content, ...ends.get(id) }] as const];
  });
  return new Map(composed);
}

const contactOf = ({ email, phone, ...rest }: WaitingConfirmation): Addressee => ({
  ...rest,
  email,
  sms: phone,
});

/** The address of a contact that a notice goes to now. */
function addressOf(
  { email, phone }: WaitingConfirmation,
  channel: TakenSend['channel'] | undefined,
): NoticeAddress | undefined {
  if (channel === 'email' && email !== null) return { channel, address: email };
  if (channel === 'sms' && phone !== null) return { channel, address: phone };
  return undefined;
}

function testerOf(
  { keyring }: Letterhead,
  { team_id, id, recipient_id, channel, sealed_address, team_name }: WaitingTestRecipient,
): Addressee {
  const address = keyring.open(sealed_address, testRecipientPlace(team_id, recipient_id));
  return { team_id, id, team_name, [channel]: address };
}

/** Undefined where the code was meant for another address than that of these digests. */
function wordsOfCode(
  { keyring }: Letterhead,
  { sealed_code, team_name, ...challenge }: WaitingCode,
  digests: readonly Buffer[],
): Words | undefined {
  const { code, digest } = openCode(keyring, challenge, sealed_code);
  if (!digests.some((one) => one.equals(digest))) return undefined;
  return {
    subject: `Your code: ${code}`,
    says: `${code} is your code from ${team_name}.`,
    warns:
      'It is valid for ten minutes. If you did not ask for it, do nothing, and do not share it.',
  };
}

function wordsOfConfirmation(
  { keyring, publicBaseUrl }: Letterhead,
  { team_id, id, team_name }: WaitingConfirmation,
  digest: Buffer,
): Words {
  return {
    subject: `Please confirm: messages from ${team_name}`,
    says: `Do you want to receive messages from ${team_name}? Please confirm it here:`,
    link: confirmationUrl(publicBaseUrl, keyring, { team_id, id, digest }),
    warns: 'If you did not ask for them, do nothing: you will receive none.',
  };
}

function wordsOfTester(
  { keyring, publicBaseUrl }: Letterhead,
  { team_id, recipient_id, team_name }: WaitingTestRecipient,
): Words {
  return {
    subject: `Please confirm: test messages from ${team_name}`,
    says: `Do you want to receive test messages from ${team_name}? Please confirm it here:`,
    link: testRecipientUrl(publicBaseUrl, keyring, { team_id, id: recipient_id }),
    warns: 'If you did not ask for them, do nothing: you will receive none.',
  };
}

/** Undefined where the recipient has no such address any more. */
function contentOf(
  send: Pick<TakenSend & SenderContext, 'channel' | 'defaultFrom'> | undefined,
  { team_name, ...addresses }: Addressee,
  { subject, says, link, warns }: Words,
): OutgoingMessage['content'] | undefined {
  if (!send) return undefined;
  const { channel, defaultFrom } = send;
  const to = addresses[channel];
  if (to === undefined || to === null) return undefined;
  const lines = [says, ...(link === undefined ? [] : [link]), warns];
  if (channel === 'sms') return { channel, to, body: lines.join(' ') };
  if (channel === 'push') {
    const body = `${says} ${warns}`;
    return { channel, tokens: [to], title: subject, body, deepLink: link, data: {} };
  }
  const paragraphs = lines.map((line) =>
    line === link ? `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>` : escapeHtml(line),
  );
  const body = paragraphs.map((line) => `<p>${line}</p>`).join('');
  return {
    channel,
    to,
    from: { name: team_name, address: defaultFrom },
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>${body}</body></html>`,
  };
}
