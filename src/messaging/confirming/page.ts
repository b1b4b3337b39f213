import { plainPage } from '../../platform/content/plain-page.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import type { Services } from '../../platform/http/services.ts';
import { confirmConsent } from './confirm.ts';
import { readConfirmationToken } from './token.ts';

/**
 * Page at the address of a confirmation. GET shows only a button, because link scanners follow
 * links; POST confirms the consent.
 */
export async function confirmationPage(
  { database, keyring }: Pick<Services, 'database' | 'keyring'>,
  method: string,
  token: string,
): Promise<PlainPage> {
  const confirmation = readConfirmationToken(keyring, token);
  if (confirmation && method !== 'POST') {
    return { status: 200, html: plainPage('Receive these messages?', question) };
  }
  const isGiven =
    confirmation !== undefined &&
    (await database.transact((sql) => confirmConsent(sql, keyring, confirmation)));
  return isGiven
    ? { status: 200, html: plainPage('Thank you, it is confirmed.', done) }
    : { status: 404, html: plainPage('This link is not valid any more.', over) };
}

const question = '<form method="post"><button type="submit">Yes, send me messages</button></form>';
const done = '<p>You can unsubscribe at any time. This page can be closed.</p>';
const over =
  '<p>It may have been cut, have expired, or you have unsubscribed since. Nothing was changed.</p>';
