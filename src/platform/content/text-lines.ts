/** Characters in front of a line at most, since lines may be many. */
const maxIndent = 20;

/** A line of a text, and what stands in front of it. */
export interface Line {
  indent: string;
  text: string;
  /** Whether a blank line comes before it. */
  isSpaced: boolean;
}

/** A place in a text that is being written. */
interface Position {
  line: number;
  part: number;
}

/** Writes a text line by line. White space is folded, except in preformatted text. */
export function createLines() {
  const lines: Line[] = [];
  /** Parts of the line that has not ended: joining them each time would take quadratic time. */
  let parts: string[] = [];
  let endsWithSpace = true;
  /** Whether a blank line comes before the next line. */
  let isSpaced = false;
  /** Whether a word that follows directly needs a space. */
  let isApart = false;
  let indent = '';
  /** In front of the first line of an item, instead of the indent. */
  let marker: string | undefined;

  function endLine(): void {
    const text = parts.join('').trimEnd();
    if (text !== '') addLine(text);
    parts = [];
    endsWithSpace = true;
    isApart = false;
  }

  function addLine(text: string): void {
    lines.push({ indent: marker ?? indent, text, isSpaced: isSpaced && lines.length > 0 });
    marker = undefined;
    isSpaced = false;
  }

  /** Ends the line, and puts a blank line before the next one. */
  function endParagraph(): void {
    endLine();
    isSpaced = true;
  }

  function write(source: string): void {
    const all = folded(source);
    const text = endsWithSpace && all.startsWith(' ') ? all.slice(1) : all;
    if (text === '') return;
    if (isApart && !endsWithSpace && !/^[\s.,;:!?)\]}'’”»…]/.test(text)) parts.push(' ');
    isApart = false;
    parts.push(text);
    endsWithSpace = text.endsWith(' ');
  }

  return {
    endLine,
    endParagraph,
    write,
    writePreformatted(source: string): void {
      const [first = '', ...others] = source.split('\n');
      const last = others.pop();
      parts.push(first);
      endsWithSpace = false;
      if (last === undefined) return;
      endLine();
      for (const written of others) {
        const text = written.trimEnd();
        if (text === '') isSpaced = true;
        else addLine(text);
      }
      parts.push(last);
      endsWithSpace = last === '';
    },
    /** A second line break makes a blank line. */
    breakLine(): void {
      if (parts.length === 0) isSpaced = true;
      endLine();
    },
    /** A word that follows directly gets a space before it. */
    setApart(): void {
      isApart = true;
    },
    isEmpty: () => lines.length === 0 && parts.length === 0,
    /** Indents the lines of `content`, of which the first has `first` in front of it. */
    indented(first: string, others: string, content: () => void): void {
      endLine();
      const before = indent;
      if (before.length + others.length <= maxIndent) {
        marker = before + first;
        indent += others;
      }
      content();
      endLine();
      // An item without text has no line.
      marker = undefined;
      indent = before;
    },
    position: (): Position => ({ line: lines.length, part: parts.length }),
    textSince({ line, part }: Position): string {
      const ended = lines.slice(line).map(({ text }) => text);
      return [...ended, parts.slice(ended.length === 0 ? part : 0).join('')].join(' ').trim();
    },
    /** Adds to the end of the text, also where its line has ended. */
    append(text: string): void {
      const last = lines.at(-1);
      if (parts.length > 0 || !last) {
        parts.push(endsWithSpace ? text.trimStart() : text);
        endsWithSpace = false;
      } else last.text += text;
    },
    /** Writes the cells of a row, on one line where `join` returns it. */
    row(
      cells: readonly (() => void)[],
      join: (cells: readonly (readonly Line[])[]) => string | undefined,
    ): void {
      endLine();
      const start = lines.length;
      const spacing = isSpaced;
      const written = cells.map((content) => {
        const first = lines.length;
        content();
        endLine();
        return lines.slice(first);
      });
      const joined = join(written);
      const [first] = lines.slice(start, start + 1);
      if (joined === undefined || !first) return;
      lines.length = start;
      lines.push({ indent: first.indent, text: joined, isSpaced: spacing && start > 0 });
      isSpaced = false;
    },
    text(): string {
      endLine();
      return lines
        .map((line) => `${line.isSpaced ? '\n' : ''}${line.indent}${line.text}`)
        .join('\n');
    },
  };
}
export type Lines = ReturnType<typeof createLines>;

/**
 * The text with its white space folded, without characters that nobody sees. Senders fill the
 * preview of a message with joiners between spaces; within words they stay.
 */
function folded(text: string): string {
  return text
    .replace(/[\u00ad\u034f\u200b\u2060\ufeff]/g, '')
    .replace(/[\s\u200c\u200d]+/g, (run) => (/\s/.test(run) ? ' ' : run));
}
