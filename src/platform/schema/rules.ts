/** The part before the @ may be case-sensitive, the domain never is. RFC 5321 §2.4. */
export function withLowerCaseDomain(email: string): string {
  const at = email.lastIndexOf('@');
  return email.slice(0, at) + email.slice(at).toLowerCase();
}
