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
export class Lines {
  readonly #lines: Line[] = [];
  /** Parts of the line that has not ended: joining them each time would take quadratic time. */
  #parts: string[] = [];
  #endsWithSpace = true;
  /** Whether a blank line comes before the next line. */
  #isSpaced = false;
  /** Whether a word that follows directly needs a space. */
  #isApart = false;
  #indent = '';
  /** In front of the first line of an item, instead of the indent. */
  #marker: string | undefined;

  text(): string {
    this.endLine();
    return this.#lines
      .map((line) => `${line.isSpaced ? '\n' : ''}${line.indent}${line.text}`)
      .join('\n');
  }

  isEmpty(): boolean {
    return this.#lines.length === 0 && this.#parts.length === 0;
  }

  write(source: string): void {
    const all = folded(source);
    const text = this.#endsWithSpace && all.startsWith(' ') ? all.slice(1) : all;
    if (text === '') return;
    if (this.#isApart && !this.#endsWithSpace && !/^[\s.,;:!?)\]}'’”»…]/.test(text)) {
      this.#parts.push(' ');
    }
    this.#isApart = false;
    this.#parts.push(text);
    this.#endsWithSpace = text.endsWith(' ');
  }

  writePreformatted(source: string): void {
    const [first = '', ...others] = source.split('\n');
    const last = others.pop();
    this.#parts.push(first);
    this.#endsWithSpace = false;
    if (last === undefined) return;
    this.endLine();
    for (const written of others) {
      const text = written.trimEnd();
      if (text === '') this.#isSpaced = true;
      else this.#addLine(text);
    }
    this.#parts.push(last);
    this.#endsWithSpace = last === '';
  }

  /** A word that follows directly gets a space before it. */
  setApart(): void {
    this.#isApart = true;
  }

  /** A second line break makes a blank line. */
  breakLine(): void {
    if (this.#parts.length === 0) this.#isSpaced = true;
    this.endLine();
  }

  /** Ends the line, and puts a blank line before the next one. */
  endParagraph(): void {
    this.endLine();
    this.#isSpaced = true;
  }

  endLine(): void {
    const text = this.#parts.join('').trimEnd();
    if (text !== '') this.#addLine(text);
    this.#parts = [];
    this.#endsWithSpace = true;
    this.#isApart = false;
  }

  #addLine(text: string): void {
    const indent = this.#marker ?? this.#indent;
    this.#lines.push({ indent, text, isSpaced: this.#isSpaced && this.#lines.length > 0 });
    this.#marker = undefined;
    this.#isSpaced = false;
  }

  /** Indents the lines of `content`, of which the first has `first` in front of it. */
  indented(first: string, others: string, content: () => void): void {
    this.endLine();
    const before = this.#indent;
    if (before.length + others.length <= maxIndent) {
      this.#marker = before + first;
      this.#indent += others;
    }
    content();
    this.endLine();
    // An item without text has no line.
    this.#marker = undefined;
    this.#indent = before;
  }

  position(): Position {
    return { line: this.#lines.length, part: this.#parts.length };
  }

  textSince({ line, part }: Position): string {
    const ended = this.#lines.slice(line).map(({ text }) => text);
    const begun = this.#parts.slice(ended.length === 0 ? part : 0).join('');
    return [...ended, begun].join(' ').trim();
  }

  /** Adds to the end of the text, also where its line has ended. */
  append(text: string): void {
    const last = this.#lines.at(-1);
    if (this.#parts.length > 0 || !last) {
      this.#parts.push(this.#endsWithSpace ? text.trimStart() : text);
      this.#endsWithSpace = false;
    } else last.text += text;
  }

  /** Writes the cells of a row, on one line where `join` returns it. */
  row(
    cells: readonly (() => void)[],
    join: (cells: readonly (readonly Line[])[]) => string | undefined,
  ): void {
    const lines = this.#lines;
    this.endLine();
    const start = lines.length;
    const spacing = this.#isSpaced;
    const written = cells.map((content) => {
      const first = lines.length;
      content();
      this.endLine();
      return lines.slice(first);
    });
    const joined = join(written);
    const [first] = lines.slice(start, start + 1);
    if (joined === undefined || !first) return;
    lines.length = start;
    lines.push({ indent: first.indent, text: joined, isSpaced: spacing && start > 0 });
    this.#isSpaced = false;
  }
}

/**
 * The text with its white space folded, without characters that nobody sees. Senders fill the
 * preview of a message with joiners between spaces; within words they stay.
 */
function folded(text: string): string {
  return text
    .replace(/[\u00ad\u034f\u200b\u2060\ufeff]/g, '')
    .replace(/[\s\u200c\u200d]+/g, (run) => (/\s/.test(run) ? ' ' : run));
}
