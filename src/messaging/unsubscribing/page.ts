import { plainPage } from '../../platform/content/plain-page.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Services } from '../../platform/http/services.ts';
import { readUnsubscribeToken } from './token.ts';
import { unsubscribe } from './unsubscribe.ts';

/**
 * The page at the unsubscribe address of a delivery: a button on GET, since programs that scan
 * links follow them. POST unsubscribes without authentication (RFC 8058: the mail program, without
 * cookies or a page before). Any body is accepted.
 */
export async function unsubscribePage(
  { database, keyring }: Pick<Services, 'database' | 'keyring'>,
  method: string,
  token: string,
): Promise<PlainPage> {
  const delivery = readUnsubscribeToken(keyring, token);
  if (!delivery) return { status: 404, html: plainPage('This link is not valid.', unknown) };
  if (method !== 'POST') {
    return { status: 200, html: plainPage('Stop receiving these messages?', question) };
  }
  try {
    await database.transact((sql) => unsubscribe(sql, keyring, delivery));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: 404, html: plainPage('This link is not valid.', unknown) };
  }
  return { status: 200, html: plainPage('You are unsubscribed.', done) };
}

const unknown = '<p>It may have been cut. Please open it once more from the message.</p>';
const done = '<p>You will get no more messages of this kind. This page can be closed.</p>';
const question = '<form method="post"><button type="submit">Unsubscribe</button></form>';
