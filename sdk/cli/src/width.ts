const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters that a terminal shows two cells wide (East Asian Width: W and F, and emoji). */
const wide =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|.\u{fe0f})/u;
const narrow = /^[\uff61-\uffdc]/;

/** Cells that a text takes in a terminal. */
export function widthOf(text: string): number {
  // Most texts are plain.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segments.segment(text)) {
    if (/^[\p{Mark}\p{Format}]+$/u.test(segment)) continue;
    width += wide.test(segment) && !narrow.test(segment) ? 2 : 1;
  }
  return width;
}

/** A text with spaces behind it up to a width. */
export const pad = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** A text of at most that width, with an ellipsis where something is cut off. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let taken = '';
  let used = 1;
  for (const { segment } of segments.segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    taken += segment;
  }
  return `${taken}…`;
}

/** Lines of at most that width, each with an indent. A longer word has a line of its own. */
export function wrap(text: string, columns: number, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > columns - indent) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one);
}
