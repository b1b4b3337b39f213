import { domainToUnicode } from 'node:url';
import type { SearchedIdentity } from '../erase.ts';

/** Finds copies that name no id, by addresses and keys. */
export interface IdentitySearch {
  /** Strings to find in JSON or plain text; the database compares their folded forms. */
  needles: readonly string[];
  /** Addresses and numbers alone. */
  addresses: readonly string[];
  /** Whether a text names the person, in any form that a callback or a file may use. */
  isIn(text: string): boolean;
}

/**
 * A close form of the function `folded` of the database, for what only the service can read. Lower
 * case is all of it for ASCII, as most of that is.
 */
const folded = (text: string) =>
  /^[\0-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
/** JSON as some programs write it, with ASCII alone. */
const inAsciiJson = (text: string) =>
  inJson(text).replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** An address as it is stored, and as people write its domain. */
function writtenForms(address: string): string[] {
  const at = address.lastIndexOf('@') + 1;
  return at === 0
    ? [address]
    : [address, address.slice(0, at) + domainToUnicode(address.slice(at))];
}

/** A key may be as short as a number: it counts only where it stands by itself. */
export function searchFor(identities: readonly SearchedIdentity[]): IdentitySearch {
  const addresses = identities.flatMap(({ emails, phones }) => [...emails, ...phones]);
  const keys = identities.flatMap(({ keys: own }) => own);
  const forms = addresses
    .flatMap(writtenForms)
    .flatMap((text) => [text, inJson(text), inAsciiJson(text), encodeURIComponent(text)]);
  const bare = [...new Set(forms)];
  const foldedForms = [...new Set(forms.map(folded))];
  const whole = keys.map(
    (key) => new RegExp(`(^|[^\\p{L}\\p{N}_-])${escaped(key)}($|[^\\p{L}\\p{N}_-])`, 'u'),
  );
  return {
    needles: [...bare, ...keys.flatMap((key) => [`"${inJson(key)}"`, `"${inAsciiJson(key)}"`])],
    addresses,
    isIn(text) {
      const found = folded(text);
      return foldedForms.some((one) => found.includes(one)) || whole.some((one) => one.test(text));
    },
  };
}
