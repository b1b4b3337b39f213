/** Segments of text messages and masking of addresses, without I/O. */

// GSM 03.38: the basic alphabet, and the characters that count twice.
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ' +
  'ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '^{}\\[~]|€\f';

/**
 * Number of segments of a text message: 160 characters, or 153 of each; 70 or 67 beyond GSM 03.38.
 */
export function smsSegments(text: string): number {
  let places = 0;
  for (const character of text) {
    if (basic.includes(character)) places += 1;
    else if (extended.includes(character)) places += 2;
    else return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
  }
  return places <= 160 ? 1 : Math.ceil(places / 153);
}

/** The address of a message, most of it hidden. */
export function masked(recipient: string): string {
  const at = recipient.lastIndexOf('@');
  if (at > 0) return `${recipient.charAt(0)}***${recipient.slice(at)}`;
  return `***${recipient.slice(-4)}`;
}
