import { escapeHtml } from '../../../content/html.ts';
import { HttpError } from '../../../http/errors.ts';
import type { Services } from '../../../http/services.ts';
import { readUnsubscribeToken } from './token.ts';
import { unsubscribe } from './unsubscribe.ts';

/** A page for people, and its status. */
export interface PlainPage {
  status: number;
  html: string;
}

/**
 * What a recipient sees at the address of a delivery: a button on GET, since programs that look at
 * links follow them; on POST it is done, whoever asks (RFC 8058: the program of the mailbox, without
 * cookies or a page before). Any body will do.
 */
export async function unsubscribePage(
  { database, keyring }: Pick<Services, 'database' | 'keyring'>,
  method: string,
  token: string,
): Promise<PlainPage> {
  const delivery = readUnsubscribeToken(keyring, token);
  if (!delivery) return { status: 404, html: page('This link is not valid.', unknown) };
  if (method !== 'POST') {
    return { status: 200, html: page('Stop receiving these messages?', question) };
  }
  try {
    await database.transact((sql) => unsubscribe(sql, keyring, delivery));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: 404, html: page('This link is not valid.', unknown) };
  }
  return { status: 200, html: page('You are unsubscribed.', done) };
}

const unknown = '<p>It may have been cut. Please open it once more from the message.</p>';
const done = '<p>You will get no more messages of this kind. This page can be closed.</p>';
const question = '<form method="post"><button type="submit">Unsubscribe</button></form>';

const style = `body{font:18px/1.5 system-ui,sans-serif;margin:4rem auto;max-width:32rem;padding:0 1rem;color:#1c2430}
button{font:inherit;padding:.6rem 1.4rem;border:0;border-radius:6px;background:#0b57d0;color:#fff}
button:focus-visible{outline:3px solid #1c2430;outline-offset:2px}`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main><h1>${escapeHtml(title)}</h1>${body}</main>
</body>
</html>
`;
}
