/** Masking of addresses, without I/O. */

/** The address of a message, most of it hidden. */
export function masked(recipient: string): string {
  const at = recipient.lastIndexOf('@');
  const characters = Array.from(recipient);
  if (at > 0) return `${characters[0] ?? ''}***${recipient.slice(at)}`;
  return `***${characters.slice(-4).join('')}`;
}
