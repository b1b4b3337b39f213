import type { Keyring } from '../../platform/auth/keyring.ts';
import { optOutAttribute, replaceLinks } from '../../platform/content/links.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { Tracking } from '../../team/team.ts';
import { maxTrackedBytes } from './rules.ts';
import { trackedUrls } from './token.ts';
import type { LinkPlace, TrackedSend } from './token.ts';

/** Tracking of the e-mails of a team. */
export type TrackingOrder = Pick<Tracking, 'opens' | 'clicks'> & LinkPlace;

/** Turns links of one message into tracked ones. */
export interface Tracker {
  /** Markup at the end of the message. */
  picture: string;
  /** Undefined for an address that stays. */
  replace(address: string): string | undefined;
}

export function createTracker(
  { keyring, publicBaseUrl }: { keyring: Keyring; publicBaseUrl: string },
  send: TrackedSend,
  { opens, clicks, ...place }: TrackingOrder,
): Tracker {
  const urls = trackedUrls(place, keyring, send);
  return {
    picture: opens ? `<img src="${urls.open()}" width="1" height="1" alt="">` : '',
    replace(address) {
      const target = clicks ? targetOf(address, publicBaseUrl) : undefined;
      return target === undefined ? undefined : urls.click(target);
    },
  };
}

/** HTML as it is sent: with tracked links, and without the marks of those that are not. */
export function withTrackedLinks(html: string, tracker: Tracker | undefined): string {
  if (!tracker) return html.includes(optOutAttribute) ? replaceLinks(html, untracked) : html;
  return replaceLinks(html, (address) => tracker.replace(address)) + tracker.picture;
}

const untracked = () => undefined;

/** The address that a tracked link leads to; undefined where the link stays as it is. */
function targetOf(address: string, publicBaseUrl: string): string | undefined {
  const trimmed = address.trim();
  if (!isSafeUrl(trimmed, 'web')) return undefined;
  const { href } = new URL(trimmed);
  if (href.length > maxTrackedBytes || isOwnLink(href, publicBaseUrl)) return undefined;
  return href;
}

/**
 * Whether a link leads to the service itself: to unsubscribe, to choose topics, to a journey. These
 * contain secrets of the recipient. Landing pages are public, and tracked.
 */
function isOwnLink(href: string, publicBaseUrl: string): boolean {
  const own = new URL(publicBaseUrl).href.replace(/\/$/, '');
  return href.startsWith(`${own}/`) && !href.startsWith(`${own}/p/`);
}
