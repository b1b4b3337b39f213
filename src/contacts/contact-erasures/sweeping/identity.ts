import type { SearchedIdentity } from '../erase.ts';

/** Finds copies that name no id, by addresses and keys. */
export interface IdentitySearch {
  /** Strings to find in JSON or plain text, ignoring case. */
  needles: readonly string[];
  /** Addresses and numbers alone. */
  addresses: readonly string[];
  /** Whether a text names the person, in any form that a callback or a file may use. */
  isIn(text: string): boolean;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** A key may be as short as a number: it counts only where it stands by itself. */
export function searchFor(identities: readonly SearchedIdentity[]): IdentitySearch {
  const addresses = identities.flatMap(({ emails, phones }) => [...emails, ...phones]);
  const keys = identities.flatMap(({ keys: own }) => own);
  const forms = addresses.flatMap((text) => [text, inJson(text), encodeURIComponent(text)]);
  const bare = [...new Set(forms.map((text) => text.toLowerCase()))];
  const whole = keys.map(
    (key) => new RegExp(`(^|[^\\p{L}\\p{N}_-])${escaped(key)}($|[^\\p{L}\\p{N}_-])`, 'u'),
  );
  return {
    needles: [...bare, ...keys.map((key) => JSON.stringify(key).toLowerCase())],
    addresses,
    isIn(text) {
      const lower = text.toLowerCase();
      return bare.some((one) => lower.includes(one)) || whole.some((one) => one.test(text));
    },
  };
}
