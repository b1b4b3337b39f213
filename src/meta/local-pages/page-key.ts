import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LocalAccess } from '../../platform/http/services.ts';

const digest = (text: string) => hash('sha256', text, 'buffer');
const isKey = ({ pageKey }: LocalAccess, given: string) =>
  timingSafeEqual(digest(given), digest(pageKey));

/** Cookies belong to a host with all its ports, so that services of one machine need other names. */
const cookieName = ({ pageKey }: LocalAccess) =>
  `onward_pages_${digest(`name of ${pageKey}`).toString('hex', 0, 4)}`;
/** The longest that browsers store a cookie. */
const cookieAgeSeconds = 400 * 86_400;

/** Whether the browser has once opened an address with the key, as `npm start` prints it. */
export function hasPageKey(access: LocalAccess, { headers }: IncomingMessage): boolean {
  const prefix = `${cookieName(access)}=`;
  return (headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .some((cookie) => cookie.startsWith(prefix) && isKey(access, cookie.slice(prefix.length)));
}

/** The address without the key, and the cookie that stands for it; undefined without a right key. */
export function exchangePageKey(access: LocalAccess, path: string, search: URLSearchParams) {
  const given = search.get('key');
  // A path that opens with two slashes would lead to another host.
  if (given === null || !/^\/(?!\/)[\w/-]*$/.test(path) || !isKey(access, given)) return undefined;
  const rest = new URLSearchParams(search);
  rest.delete('key');
  const query = rest.size > 0 ? `?${rest.toString()}` : '';
  return {
    location: `${path}${query}`,
    cookie: `${cookieName(access)}=${access.pageKey}; Max-Age=${String(cookieAgeSeconds)}; Path=/; HttpOnly; SameSite=Strict`,
  };
}

/** Shown to a browser without the key. */
export const keyIsMissing =
  'This browser has not opened the address that npm start prints. Print it again with: npm run --silent onward -- open';
