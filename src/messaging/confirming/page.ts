import { plainPage } from '../../platform/content/plain-page.ts';
import { findLook } from '../preferences/queries.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Services } from '../../platform/http/services.ts';
import { confirmConsent } from './confirm.ts';
import { confirmTestRecipient } from './queries.ts';
import { readConfirmationToken, readTestRecipientToken } from './token.ts';

/** A link that was sent to an address. */
interface Question {
  teamId: string;
  title: string;
  yes: string;
  /** Below the heading that it is confirmed. */
  done: string;
  /** Returns false where the link is not valid any more. */
  confirm(sql: Sql): Promise<boolean>;
}

/**
 * Page at the address of a confirmation. GET shows only a button, because link scanners follow
 * links; POST confirms.
 */
export async function confirmationPage(
  { database, keyring, teamStates }: Pick<Services, 'database' | 'keyring' | 'teamStates'>,
  method: string,
  token: string,
): Promise<PlainPage> {
  const asked = questionOf(keyring, token);
  const { suspended } = await teamStates.current();
  const question = asked && !suspended.has(asked.teamId) ? asked : undefined;
  const look = asked && (await database.read((sql) => findLook(sql, asked.teamId)));
  const page = (title: string, body: string) => plainPage(title, body, 'en', look);
  if (question && method !== 'POST') {
    const form = `<form method="post"><button type="submit">${question.yes}</button></form>`;
    return { status: 200, html: page(question.title, form) };
  }
  const isGiven = question !== undefined && (await database.transact(question.confirm));
  return isGiven
    ? { status: 200, html: page('Thank you, it is confirmed.', question.done) }
    : { status: 404, html: page('This link is not valid any more.', over) };
}

function questionOf(keyring: Keyring, token: string): Question | undefined {
  const consent = readConfirmationToken(keyring, token);
  if (consent) {
    return {
      teamId: consent.team_id,
      title: 'Receive these messages?',
      yes: 'Yes, send me messages',
      done: '<p>You can unsubscribe at any time. This page can be closed.</p>',
      confirm: (sql) => confirmConsent(sql, keyring, consent),
    };
  }
  const recipient = readTestRecipientToken(keyring, token);
  return (
    recipient && {
      teamId: recipient.team_id,
      title: 'Receive test messages?',
      yes: 'Yes, send me test messages',
      done: '<p>The team that added the address can remove it. This page can be closed.</p>',
      confirm: (sql) => confirmTestRecipient(sql, recipient.team_id, recipient.id),
    }
  );
}

const over =
  '<p>It may have been cut or have expired, or since then you have unsubscribed or changed your ' +
  'address. Nothing was changed.</p>';
