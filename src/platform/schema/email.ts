import { domainToASCII } from 'node:url';
import { Type } from 'typebox';
import Format from 'typebox/format';

/**
 * E-mail addresses and domains: the one rule of those that are accepted, and the one form in which
 * they are stored, compared and sent to. Only the domain may go beyond ASCII, since most providers
 * refuse another local part (SMTPUTF8). A domain is stored in ASCII and in lower case (RFC 5891).
 */

export const maxEmailLength = 254;
const maxDomainLength = 253;
const maxLocalLength = 64;

// Dot-atom of RFC 5322; quoted local parts are not accepted.
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const localSource = `${atom}(?:\\.${atom})*`;
const localPart = new RegExp(`^${localSource}$`);
const storedDomainForm =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

// All of ASCII is excluded but letters, digits and hyphens, in escapes that the regular expressions
// of Python and Go have as well. UTS 46 checks the rest, and has three more full stops.
const labelSource = '[^\\x00-,./:-@\\x5b-\\x60{-\\x7f。．｡]+';
const domainSource = `(?:${labelSource}[.。．｡])+${labelSource}`;
/** For clients; `isEmail` checks more: lengths, and characters beyond ASCII. */
const emailSource = `^${localSource}@${domainSource}$`;
const acceptedDomain = new RegExp(`^${domainSource}$`, 'u');

// Control characters, spaces, unassigned characters and marks that nobody sees. A domain of some
// alphabets needs the joiners; UTS 46 refuses them elsewhere.
const hidden = /(?![\u200c\u200d])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** The domain in its stored form; undefined for a text that is no domain. */
export function storedDomain(text: string): string | undefined {
  // Before the conversion, which drops some characters and decodes others.
  if (text.length > maxDomainLength || !acceptedDomain.test(text) || hidden.test(text)) {
    return undefined;
  }
  const isPlain = !/[^\0-\x7f]|xn--/i.test(text);
  const domain = isPlain ? text.toLowerCase() : domainToASCII(text);
  return domain.length <= maxDomainLength && storedDomainForm.test(domain) ? domain : undefined;
}

export const isDomain = (text: string) => storedDomain(text) !== undefined;

/** The address in its stored form; undefined for a text that is no address. */
export function storedEmail(text: string): string | undefined {
  if (text.length > maxEmailLength) return undefined;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > maxLocalLength || !localPart.test(text.slice(0, at))) return undefined;
  const domain = storedDomain(text.slice(at + 1));
  if (domain === undefined) return undefined;
  // The local part may be case-sensitive, the domain never is. RFC 5321 §2.4.
  const email = `${text.slice(0, at)}@${domain}`;
  return email.length <= maxEmailLength ? email : undefined;
}

export const isEmail = (text: string) => storedEmail(text) !== undefined;

/**
 * The stored form of an address, of a domain or of an end of an address that begins with its "@".
 * Any other text is unchanged.
 */
export function inStoredForm(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  const domain = storedDomain(text.slice(at));
  return domain === undefined ? text : text.slice(0, at) + domain;
}

/** Whether a name could be read as an address: it has a sign like "@". */
export const looksLikeAddress = (name: string) => name.normalize('NFKC').includes('@');

/** Whether a text has a character that nobody sees, as copied addresses sometimes do. */
export const hasHidden = (text: string) => hidden.test(text);

Format.Set('idn-email', isEmail);
Format.Set('idn-hostname', isDomain);

/** An e-mail address; its domain may be internationalized. */
export const Email = (description?: string) =>
  Type.String({
    format: 'idn-email',
    pattern: emailSource,
    maxLength: maxEmailLength,
    ...(description && { description }),
  });

/** A domain, which may be internationalized. */
export const Domain = (
  options: { maxLength?: number; description?: string; examples?: string[] } = {},
) =>
  Type.String({
    format: 'idn-hostname',
    pattern: `^${domainSource}$`,
    maxLength: maxDomainLength,
    ...options,
  });
