/** The first characters of a text, `maxUnits` UTF-16 units at most, without half a character. */
export function cutText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const isWithinPair = isHigh(text.charCodeAt(maxUnits - 1)) && isLow(text.charCodeAt(maxUnits));
  return text.slice(0, isWithinPair ? maxUnits - 1 : maxUnits);
}

/**
 * As `cutText`, for people: what is drawn as one sign, such as a flag or a letter with its accents,
 * is not divided either, unless it is longer than any that a language has.
 */
export function cutShown(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const start = Math.max(0, maxUnits - maxSignLength);
  const near = text.slice(start, maxUnits + maxSignLength);
  const sign = signs.segment(near).containing(maxUnits - start);
  return cutText(text, sign && sign.index > 0 ? start + sign.index : maxUnits);
}

/** The text, or its first characters and an ellipsis: `maxUnits` UTF-16 units at most. */
export function shorten(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : `${cutShown(text, maxUnits - 1)}…`;
}

const signs = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Longer than a family with skin tones, or a flag of a region. */
const maxSignLength = 64;

const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;
