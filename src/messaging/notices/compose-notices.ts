import { addressesOf } from '../../contacts/suppressions/erased/erased.ts';
import { escapeHtml } from '../../platform/content/html.ts';
import { languageAttributes } from '../../platform/content/language-attributes.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { OutgoingMessage } from '../providers/sender.ts';
import { confirmationUrl, testRecipientUrl } from '../confirming/token.ts';
import { layOut } from '../mail-layout/layout.ts';
import { fill } from '../preferences/words.ts';
import type { SenderContext } from '../send-queue/compose.ts';
import type { Looks } from '../send-queue/prepared-message.ts';
import type { ClaimedSend } from '../send-queue/queries.ts';
import { testRecipientSealContext } from '../test-recipients/address.ts';
import { addressDigests } from './address-digests.ts';
import type { NoticeAddress } from './address-digests.ts';
import { openCode } from './code.ts';
import {
  listWaitingCodes,
  listWaitingConfirmations,
  listWaitingTestRecipients,
} from './queries.ts';
import type { WaitingCode, WaitingConfirmation, WaitingTestRecipient } from './queries.ts';
import { noticeWordsFor } from './words.ts';

/** Texts of a notice, in plain text; a link is shown as its URL. */
interface Words {
  subject: string;
  says: string;
  link?: string;
  warns: string;
}

/** Recipient of a notice, with its addresses. */
interface Addressee extends Partial<Record<ClaimedSend['channel'], string | null>> {
  team_id: string;
  id: string;
  contact_id?: string;
  team_name: string;
  locale: string;
}

type Letterhead = Omit<SenderContext, 'defaultFrom'>;

/** Renders the notices that are still of use to their recipient; the others are to be dropped. */
export async function composeNotices(
  sql: Sql,
  letterhead: Letterhead,
  taken: readonly (ClaimedSend & Pick<SenderContext, 'defaultFrom'>)[],
  looks: Looks,
): Promise<Map<string, OutgoingMessage>> {
  const about = (notice: ClaimedSend['notice']) => taken.filter((send) => send.notice === notice);
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
    const content = contentOf(sends.get(to.id), to, said, looks);
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
  channel: ClaimedSend['channel'] | undefined,
): NoticeAddress | undefined {
  if (channel === 'email' && email !== null) return { channel, address: email };
  if (channel === 'sms' && phone !== null) return { channel, address: phone };
  return undefined;
}

function testerOf(
  { keyring }: Letterhead,
  { team_id, id, recipient_id, channel, sealed_address, team_name, locale }: WaitingTestRecipient,
): Addressee {
  const address = keyring.open(sealed_address, testRecipientSealContext(team_id, recipient_id));
  return { team_id, id, team_name, locale, [channel]: address };
}

/** Undefined where the code was meant for another address than that of these digests. */
function wordsOfCode(
  { keyring }: Letterhead,
  { sealed_code, team_name, locale, ...challenge }: WaitingCode,
  digests: readonly Buffer[],
): Words | undefined {
  const { code, digest } = openCode(keyring, challenge, sealed_code);
  if (!digests.some((one) => one.equals(digest))) return undefined;
  const { words } = noticeWordsFor(locale);
  const values = { code, team: team_name };
  return {
    subject: fill(words.code, values),
    says: fill(words.codeSays, values),
    warns: words.codeWarns,
  };
}

function wordsOfConfirmation(
  { keyring, publicBaseUrl }: Letterhead,
  { team_id, id, team_name, locale }: WaitingConfirmation,
  digest: Buffer,
): Words {
  const { words } = noticeWordsFor(locale);
  return {
    subject: fill(words.consent, { team: team_name }),
    says: fill(words.consentSays, { team: team_name }),
    link: confirmationUrl(publicBaseUrl, keyring, { team_id, id, digest }),
    warns: words.warns,
  };
}

function wordsOfTester(
  { keyring, publicBaseUrl }: Letterhead,
  { team_id, recipient_id, team_name, locale }: WaitingTestRecipient,
): Words {
  const { words } = noticeWordsFor(locale);
  return {
    subject: fill(words.test, { team: team_name }),
    says: fill(words.testSays, { team: team_name }),
    link: testRecipientUrl(publicBaseUrl, keyring, { team_id, id: recipient_id }),
    warns: words.warns,
  };
}

/** Undefined where the recipient has no such address any more. */
function contentOf(
  send: Pick<ClaimedSend & SenderContext, 'channel' | 'defaultFrom'> | undefined,
  { team_id, team_name, locale, ...addresses }: Addressee,
  { subject, says, link, warns }: Words,
  looks: Looks,
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
  const text = `${lines.join('\n\n')}\n`;
  return {
    channel,
    to,
    from: { name: team_name, address: defaultFrom },
    subject,
    text,
    html: layOut({
      ...{ subject, preheader: says, text, locale, choices: {} },
      html: paragraphs.map((line) => `<p>${line}</p>`).join(''),
      language: languageAttributes(noticeWordsFor(locale).lang),
      look: looks.get(team_id) ?? { team_name, locale, theme: null },
    }),
  };
}
