import type { Keyring } from '../../platform/auth/keyring.ts';
import { blankName } from '../../platform/auth/signed-name.ts';

/** Addresses in messages at which recipients come back. Their tokens prove whose they are. */

export const journeyKind = { prefix: 'dol', purpose: 'journey_link' } as const;
export const choiceKind = { prefix: 'dou', purpose: 'unsubscribe' } as const;
/** Bytes that the tokens sign. */
const journeyBytes = 36;
const choiceBytes = 32;

/**
 * The page that shows a recipient their journey. The token is in the fragment, which browsers never
 * send: it is in no log and no Referer.
 */
export const journeyAddress = (baseUrl: string, token: string) => `${baseUrl}/journey#${token}`;

/** The pages at which a recipient unsubscribes, and chooses topics. */
export const choiceAddresses = (baseUrl: string, token: string) => ({
  unsubscribe_url: `${baseUrl}/unsubscribe/${token}`,
  preferences_url: `${baseUrl}/preferences/${token}`,
});

/** Where the addresses of an installation lead. */
export interface Letterhead {
  publicBaseUrl: string;
  keyring: Keyring;
}

/**
 * Addresses for previews and tests. They are as long as those of a recipient, but their tokens prove
 * nothing: the pages say that the link is invalid.
 */
export function sampleAddresses({ publicBaseUrl, keyring }: Letterhead) {
  const journey = blankName(keyring, journeyKind, journeyBytes);
  const choice = blankName(keyring, choiceKind, choiceBytes);
  return {
    journey: { link_url: journeyAddress(publicBaseUrl, journey) },
    ...choiceAddresses(publicBaseUrl, choice),
  };
}
