/** The part before the @ may be case-sensitive, the domain never is. RFC 5321 §2.4. */
export function withLowerCaseDomain(email: string): string {
  const at = email.lastIndexOf('@');
  return email.slice(0, at) + email.slice(at).toLowerCase();
}

/**
 * The URL that a text is; undefined for none. Not by `URL.canParse`: in Node.js 20 it refuses hosts
 * with letters such as ü once it was called often.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
