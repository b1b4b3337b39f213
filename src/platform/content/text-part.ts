import { ElementType, parseDocument } from 'htmlparser2';
import { Lines } from './text-lines.ts';
import type { Line } from './text-lines.ts';

type Node = ReturnType<typeof parseDocument>['childNodes'][number];
type Element = Extract<Node, { attribs: object }>;

/** Elements with a blank line before and after them. */
const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 dl figure blockquote pre form hr'.split(' '));
/** Elements that begin and end a line. */
const blocks = new Set(
  (
    'div section center article main header footer nav aside address details summary ' +
    'li dt tr td th caption figcaption fieldset legend label option button'
  ).split(' '),
);
/** Values of `display` that begin and end a line. */
const blockDisplay = /^(?:block|flex|grid|list-item|table(?:-row|-cell|-caption)?)$/;

/** Characters of a row of a layout table that is shown as one line at most. */
const maxRowLength = 120;
/** Columns at most that cells of several columns or rows fill. */
const maxColumns = 50;

/**
 * The text part of an e-mail, made of its sanitized HTML: parts that a reader sees apart are apart.
 * The beginning that mail programs show next to the subject comes first and once: `preheader`, or
 * hidden markup at the start. The time is linear.
 */
export function textOfMarkup(html: string, preheader = ''): string {
  const lines = new Lines();
  lines.write(preheader);
  lines.endParagraph();
  new MarkupWriter(lines, preheader.trim() !== '').write(parseDocument(html).childNodes);
  return lines.text();
}

/** Writes markup; `isStarted` where the beginning has been written. */
class MarkupWriter {
  readonly #lines: Lines;
  #isStarted: boolean;
  #isPreformatted = false;
  #listDepth = 0;

  constructor(lines: Lines, isStarted: boolean) {
    this.#lines = lines;
    this.#isStarted = isStarted;
  }

  write(children: readonly Node[]): void {
    for (const node of children) {
      if ('attribs' in node) this.#element(node);
      else if (node.type === ElementType.ElementType.Text && this.#isPreformatted)
        this.#lines.writePreformatted(node.data);
      else if (node.type === ElementType.ElementType.Text) this.#lines.write(node.data);
    }
  }

  #element(node: Element): void {
    const style = node.attribs['style'] ?? '';
    if (isHidden(style)) {
      this.#hidden(node);
      return;
    }
    const before = this.#isPreformatted;
    const whiteSpace =
      styleValue(style, 'white-space') ?? (node.name === 'pre' ? 'pre' : undefined);
    if (whiteSpace !== undefined) this.#isPreformatted = whiteSpace.startsWith('pre');
    this.#shown(node, styleValue(style, 'display') ?? '');
    this.#isPreformatted = before;
  }

  /** Hidden markup is left out, except the beginning, which lists of messages show. */
  #hidden({ childNodes }: Element): void {
    if (this.#isStarted || !this.#lines.isEmpty()) return;
    this.write(childNodes);
    this.#isStarted = !this.#lines.isEmpty();
    this.#lines.endParagraph();
  }

  #shown(node: Element, display: string): void {
    const { name } = node;
    const lines = this.#lines;
    const content = () => this.#content(node);
    if (paragraphs.has(name)) between(() => lines.endParagraph(), content);
    else if (blocks.has(name) || blockDisplay.test(display)) {
      between(() => lines.endLine(), content);
    } else if (display.startsWith('inline-')) this.#apart(content);
    else content();
  }

  #apart(content: () => void): void {
    between(() => this.#lines.setApart(), content);
  }

  #content(node: Element): void {
    const write = MarkupWriter.#writers[node.name];
    if (write) write(this, node);
    else this.write(node.childNodes);
  }

  static readonly #writers: Readonly<
    Record<string, ((to: MarkupWriter, node: Element) => void) | undefined>
  > = {
    style: () => undefined,
    br: (to) => to.#lines.breakLine(),
    hr: (to) => to.#lines.write('----------'),
    img: (to, { attribs: { alt = '' } }) => to.#apart(() => to.#lines.write(alt)),
    a: (to, node) => to.#link(node),
    sup: (to, node) => to.#raised(node, superscripts),
    sub: (to, node) => to.#raised(node, subscripts),
    ul: (to, node) => to.#list(node),
    ol: (to, node) => to.#list(node),
    dd: (to, { childNodes }) => to.#lines.indented('  ', '  ', () => to.write(childNodes)),
    blockquote: (to, { childNodes }) => to.#lines.indented('> ', '> ', () => to.write(childNodes)),
    table: (to, node) => to.#table(node),
  };

  /** The text of a link, and its address unless the text is the address. */
  #link({ attribs: { href = '' }, childNodes }: Element): void {
    const start = this.#lines.position();
    this.write(childNodes);
    const label = this.#lines.textSince(start);
    const address = href.trim();
    if (!hasScheme(address) || bare(address) === bare(label)) return;
    if (label === '') this.#lines.write(address);
    else this.#lines.append(` (${address})`);
    this.#lines.setApart();
  }

  /** Digits in their raised form, so that a footnote or a power is not part of a number. */
  #raised({ childNodes }: Element, digits: string): void {
    const [only] = childNodes;
    const isNumber =
      childNodes.length === 1 &&
      only?.type === ElementType.ElementType.Text &&
      /^\d+$/.test(only.data);
    if (!isNumber) this.write(childNodes);
    else this.#lines.write(only.data.replaceAll(/\d/g, (digit) => digits.charAt(Number(digit))));
  }

  #list({ name, attribs, childNodes }: Element): void {
    const isOuter = this.#listDepth === 0;
    const end = () => (isOuter ? this.#lines.endParagraph() : this.#lines.endLine());
    const count = childNodes.filter((node) => isElement(node, ['li'])).length;
    const isReversed = attribs['reversed'] !== undefined;
    let number = integerOf(attribs['start']) ?? (isReversed ? count : 1);
    this.#listDepth += 1;
    end();
    for (const node of childNodes) {
      if (!isElement(node, ['li'])) {
        this.write([node]);
        continue;
      }
      number = integerOf(node.attribs['value']) ?? number;
      const mark = name === 'ol' ? `${numeral(number, attribs['type'])}. ` : '- ';
      this.#lines.indented(mark, ' '.repeat(mark.length), () => {
        this.#element(node);
      });
      number += isReversed ? -1 : 1;
    }
    this.#listDepth -= 1;
    end();
  }

  #table(node: Element): void {
    const isData = isDataTable(node);
    // Cells below these columns continue from the rows above.
    const continued: number[] = [];
    const within = (children: readonly Node[]): void => {
      for (const child of children) {
        if (isElement(child, ['thead', 'tbody', 'tfoot'])) within(child.childNodes);
        else if (isElement(child, ['tr'])) this.#row(child, isData ? continued : undefined);
        else this.write([child]);
      }
    };
    this.#lines.endParagraph();
    within(node.childNodes);
    this.#lines.endParagraph();
  }

  #row({ childNodes, attribs }: Element, continued: number[] | undefined): void {
    if (isHidden(attribs['style'] ?? '')) return;
    const cells = childNodes.filter((node) => isElement(node, ['td', 'th']));
    const others = childNodes.filter((node) => !isElement(node, ['td', 'th']));
    this.write(others);
    this.#lines.row(
      cells.map((cell) => () => {
        this.write([cell]);
      }),
      (written) => (continued ? dataRow(cells, written, continued) : layoutRow(written)),
    );
  }
}

function between(end: () => void, content: () => void): void {
  end();
  content();
  end();
}

function isElement(node: Node, names: readonly string[]): node is Element {
  return 'attribs' in node && names.includes(node.name);
}

/** The first word of a value in a style that has been sanitized. */
function styleValue(style: string, name: string): string | undefined {
  const start = `;${style}`.lastIndexOf(`;${name}:`);
  return start < 0
    ? undefined
    : /^[\w-]+/.exec(style.slice(start + name.length + 1, start + name.length + 40))?.[0];
}

const isHidden = (style: string) =>
  style !== '' &&
  (styleValue(style, 'display') === 'none' || styleValue(style, 'visibility') === 'hidden');

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const subscripts = '₀₁₂₃₄₅₆₇₈₉';

const hasScheme = (address: string) => /^[a-z][a-z0-9+.-]*:/i.test(address);
const bare = (address: string) =>
  address
    .toLowerCase()
    .replace(/^(?:mailto:|tel:|sms:|https?:\/\/)/, '')
    .replace(/\/$/, '')
    .replaceAll(/\s/g, '');

const integerOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;

/** The number of an item, or its letter: texts refer to both. */
function numeral(number: number, type: string | undefined): string {
  if ((type !== 'a' && type !== 'A') || number < 1 || number > 26) return String(number);
  return String.fromCodePoint((type === 'a' ? 96 : 64) + number);
}

/** Most tables of e-mails are for layout, and say so or contain others. */
function isDataTable({ attribs: { role }, childNodes }: Element): boolean {
  if (role === 'presentation' || role === 'none') return false;
  let isData = false;
  const waiting: Node[] = [...childNodes];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!('attribs' in node)) continue;
    if (node.name === 'table') return false;
    isData ||= isElement(node, ['th', 'thead', 'caption']);
    for (const child of node.childNodes) waiting.push(child);
  }
  return isData;
}

const textOf = (lines: readonly Line[]) => lines.map(({ text }) => text).join(' ');

/** All cells of a row, empty ones too: a value stays in its column. */
function dataRow(
  cells: readonly Element[],
  written: readonly (readonly Line[])[],
  continued: number[],
): string {
  const columns: string[] = [];
  const skip = () => {
    for (
      let rows = continued[columns.length] ?? 0;
      rows > 0;
      rows = continued[columns.length] ?? 0
    ) {
      continued[columns.length] = rows - 1;
      columns.push('');
    }
  };
  cells.forEach(({ attribs: { colspan, rowspan } }, at) => {
    skip();
    const end = Math.min(columns.length + (integerOf(colspan) ?? 1), maxColumns);
    const rows = integerOf(rowspan) ?? 1;
    const add = (text: string) => {
      if (columns.length < maxColumns) continued[columns.length] = rows - 1;
      columns.push(text);
    };
    add(textOf(written[at] ?? []));
    while (columns.length < end) add('');
  });
  skip();
  while (columns.at(-1) === '') columns.pop();
  return columns.join(' | ');
}

/** The cells side by side where they are short; undefined where each has lines of its own. */
function layoutRow(cells: readonly (readonly Line[])[]): string | undefined {
  const filled = cells.filter((lines) => lines.length > 0);
  if (filled.length < 2 || filled.some((lines) => lines.length > 1)) return undefined;
  const text = filled.map(textOf).join('  ');
  return text.length > maxRowLength ? undefined : text;
}
