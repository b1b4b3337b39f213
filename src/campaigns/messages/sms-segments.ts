// GSM 03.38: the basic alphabet, and the characters that need two units.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ' +
    'ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('^{}\\[~]|€\f');

/** Units of one message, and of each of several, which have a header (3GPP TS 23.040). */
const gsm = { alone: 160, joined: 153 };
const ucs2 = { alone: 70, joined: 67 };

/**
 * Number of segments of a text message. A character of two units begins a new segment if one unit is
 * left.
 */
export function smsSegments(text: string): number {
  const characters = Array.from(text);
  const isGsm = characters.every((character) => basic.has(character) || extended.has(character));
  const { alone, joined } = isGsm ? gsm : ucs2;
  let segments = 1;
  let units = 0;
  let all = 0;
  for (const character of characters) {
    const size = isGsm ? (basic.has(character) ? 1 : 2) : character.length;
    all += size;
    units += size;
    if (units > joined) {
      segments += 1;
      units = size;
    }
  }
  return all <= alone ? 1 : segments;
}
