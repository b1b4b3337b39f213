import { escapeHtml } from '../../platform/content/html.ts';
import { invalidLink, plainPage } from '../../platform/content/plain-page.ts';
import { noticeWordsFor } from '../notices/words.ts';
import type { NoticeWords } from '../notices/words.ts';
import { findLook } from '../preferences/queries.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Services } from '../../platform/http/services.ts';
import { confirmConsent } from './confirm.ts';
import { confirmTestRecipient, findLocaleAsked } from './queries.ts';
import { readConfirmationToken, readTestRecipientToken } from './token.ts';

/** A link that was sent to an address. */
interface Question {
  teamId: string;
  /** Names of its texts. */
  title: keyof NoticeWords;
  yes: keyof NoticeWords;
  /** Below the heading that it is confirmed. */
  done: keyof NoticeWords;
  /** The language of the contact, where there is one. */
  findLocale(sql: Sql): Promise<string | undefined>;
  /** Returns false where the link is not valid any more. */
  confirm(sql: Sql): Promise<boolean>;
}

/**
 * Page at the address of a confirmation, in the language of its contact. GET shows only a button,
 * because link scanners follow links; POST confirms.
 */
export async function confirmationPage(
  { database, keyring, teamStates }: Pick<Services, 'database' | 'keyring' | 'teamStates'>,
  method: string,
  token: string,
): Promise<PlainPage> {
  const question = questionOf(keyring, token);
  const { suspended } = await teamStates.current();
  if (!question || suspended.has(question.teamId)) return invalidLink;
  const { look, locale } = await database.read(async (sql) => ({
    look: await findLook(sql, question.teamId),
    locale: await question.findLocale(sql),
  }));
  const { lang, words } = noticeWordsFor(locale ?? look?.locale ?? 'en');
  const page = (title: string, body: string) => plainPage(title, body, lang, look);
  // Focused when the page opens, so that screen readers say it.
  const said = (text: string) => `<p role="status" tabindex="-1" autofocus>${escapeHtml(text)}</p>`;
  if (method !== 'POST') {
    const form = `<form method="post"><button type="submit">${escapeHtml(words[question.yes])}</button></form>`;
    return { status: 200, html: page(words[question.title], form) };
  }
  const isGiven = await database.transact(question.confirm);
  return isGiven
    ? { status: 200, html: page(words.done, said(words[question.done])) }
    : { status: 404, html: page(words.over, said(words.overWhy)) };
}

function questionOf(keyring: Keyring, token: string): Question | undefined {
  const consent = readConfirmationToken(keyring, token);
  if (consent) {
    return {
      teamId: consent.team_id,
      ...({ title: 'askConsent', yes: 'yesConsent', done: 'doneConsent' } as const),
      findLocale: (sql) => findLocaleAsked(sql, consent.team_id, consent.id),
      confirm: (sql) => confirmConsent(sql, keyring, consent),
    };
  }
  const recipient = readTestRecipientToken(keyring, token);
  return (
    recipient && {
      teamId: recipient.team_id,
      ...({ title: 'askTest', yes: 'yesTest', done: 'doneTest' } as const),
      findLocale: () => Promise.resolve(undefined),
      confirm: (sql) => confirmTestRecipient(sql, recipient.team_id, recipient.id),
    }
  );
}
