/** Characters that are read in one turn of the event loop, which takes a few milliseconds. */
export const turnLength = 100_000;

/** Whether the quote at `at`, in a string that begins at `start`, has an odd number of `\\` before. */
export function isEscaped(text: string, at: number, start: number): boolean {
  let before = at - 1;
  while (before > start && text.charCodeAt(before) === 0x5c) before -= 1;
  return (at - before) % 2 === 0;
}

/** NUL and surrogates: text in UTF-8 can contain them as escapes only. */
const rareEscape = /\\u(0000|d[89a-f])/i;

/** Characters of an escape such as `\u0041`. */
const longestEscape = 6;

/**
 * Parses JSON text in pieces, with a pause before each, and gives what JSON.parse gives for the
 * whole. Lists and objects that are longer than a piece are read here, item by item; JSON.parse reads
 * the rest. Throws SyntaxError for malformed text. `check` gets each piece with an escape of NUL or
 * of a surrogate, the path of the list or object that contains its items, and for a list the index of
 * the first.
 */
export function* parsePieces(
  text: string,
  check: PieceCheck,
  pieceLength = turnLength,
): Generator<undefined, unknown> {
  if (text.length <= pieceLength) return parsePiece(text, check, []);
  const start = skipSpace(text, 0);
  const reader = new PieceReader(text, check, pieceLength);
  const value = yield* reader.readValue(start, []);
  if (skipSpace(text, reader.at) < text.length) throw malformed();
  return value;
}

export type PieceCheck = (value: unknown, path: readonly string[], first?: number) => void;

function parsePiece(
  source: string,
  check: PieceCheck,
  path: readonly string[],
  first?: number,
): unknown {
  const value: unknown = JSON.parse(source);
  if (rareEscape.test(source)) check(value, path, first);
  return value;
}

const malformed = () => new SyntaxError('malformed JSON');

class PieceReader {
  /** Where the value that was read last has ended. */
  at = 0;

  readonly #text: string;
  readonly #check: PieceCheck;
  readonly #pieceLength: number;

  constructor(text: string, check: PieceCheck, pieceLength: number) {
    this.#text = text;
    this.#check = check;
    this.#pieceLength = pieceLength;
  }

  /** The value that begins here, longer than a piece or not. */
  *readValue(start: number, path: readonly string[]): Generator<undefined, unknown> {
    yield;
    const opening = this.#text[start];
    if (opening === '[') return yield* this.#readList(start, path);
    if (opening === '{') return yield* this.#readObject(start, path);
    if (opening === '"') return yield* this.#readText(start, path);
    const end = this.#endOfItem(start, Infinity);
    this.at = end;
    return parsePiece(this.#text.slice(start, end), this.#check, path);
  }

  *#readList(start: number, path: readonly string[]): Generator<undefined, unknown> {
    const list: unknown[] = [];
    let at = skipSpace(this.#text, start + 1);
    if (this.#text[at] === ']') {
      this.at = at + 1;
      return list;
    }
    for (;;) {
      const { end, isOne } = this.#endOfItems(at);
      if (isOne) {
        const begin = skipSpace(this.#text, at);
        list.push(yield* this.readValue(begin, [...path, String(list.length)]));
      } else {
        yield;
        const source = `[${this.#text.slice(at, end)}]`;
        const items = parsePiece(source, this.#check, path, list.length);
        if (!Array.isArray(items)) throw malformed();
        for (const item of items) list.push(item);
        this.at = end;
      }
      at = skipSpace(this.#text, this.at);
      if (this.#text[at] === ']') break;
      if (this.#text[at] !== ',') throw malformed();
      at += 1;
    }
    this.at = at + 1;
    return list;
  }

  *#readObject(start: number, path: readonly string[]): Generator<undefined, unknown> {
    const object = {};
    let at = skipSpace(this.#text, start + 1);
    if (this.#text[at] === '}') {
      this.at = at + 1;
      return object;
    }
    for (;;) {
      const { end, isOne } = this.#endOfItems(at);
      if (isOne) {
        const name = yield* this.#readName(at, path);
        setOwn(object, name, yield* this.readValue(this.at, [...path, name]));
      } else {
        yield;
        const source = `{${this.#text.slice(at, end)}}`;
        const part = parsePiece(source, this.#check, path);
        for (const [name, value] of Object.entries(part ?? {})) setOwn(object, name, value);
        this.at = end;
      }
      at = skipSpace(this.#text, this.at);
      if (this.#text[at] === '}') break;
      if (this.#text[at] !== ',') throw malformed();
      at += 1;
    }
    this.at = at + 1;
    return object;
  }

  /** The name of a member; `at` is then where its value begins. */
  *#readName(start: number, path: readonly string[]): Generator<undefined, string> {
    const from = skipSpace(this.#text, start);
    if (this.#text[from] !== '"') throw malformed();
    const name = yield* this.#readText(from, path);
    const colon = skipSpace(this.#text, this.at);
    if (this.#text[colon] !== ':') throw malformed();
    this.at = skipSpace(this.#text, colon + 1);
    return name;
  }

  /** A string, in parts that divide no escape: JSON.parse takes long for one of megabytes. */
  *#readText(start: number, path: readonly string[]): Generator<undefined, string> {
    const end = yield* this.#endOfString(start);
    const parts: string[] = [];
    let isRare = false;
    for (let at = start + 1; at < end - 1;) {
      const cut = this.#endOfPart(at, end - 1);
      const source = this.#text.slice(at, cut);
      isRare ||= rareEscape.test(source);
      parts.push(String(JSON.parse(`"${source}"`)));
      at = cut;
      yield;
    }
    this.at = end;
    const value = parts.join('');
    yield;
    // As a whole: an escape for half of a character stands next to that of the other half.
    if (isRare) this.#check(value, path);
    return value;
  }

  /** Where a part of a string may end that begins at `start`, not behind `end`. */
  #endOfPart(start: number, end: number): number {
    const cut = start + Math.max(this.#pieceLength, 2 * longestEscape);
    if (cut >= end) return end;
    const slash = this.#text.lastIndexOf('\\', cut - 1);
    const isNear = slash >= start && cut - slash < longestEscape;
    // A slash that another one escapes begins nothing.
    return isNear && !isEscaped(this.#text, slash, start - 1) ? slash : cut;
  }

  /** Where the last of the items ends that fit into one piece; `isOne` where the first does not. */
  #endOfItems(start: number): { end: number; isOne: boolean } {
    const limit = start + this.#pieceLength;
    let end = this.#endOfItem(start, limit);
    // An empty piece would be no item, and valid.
    if (skipSpace(this.#text, start) === end) throw malformed();
    if (end < 0) return { end, isOne: true };
    while (this.#text[end] === ',') {
      const next = this.#endOfItem(end + 1, limit);
      if (next < 0) break;
      end = next;
    }
    return { end, isOne: false };
  }

  /** Where an item ends, at a comma or bracket behind it; -1 where that is not before the limit. */
  #endOfItem(start: number, limit: number): number {
    const text = this.#text;
    let depth = 0;
    for (let at = start; at < text.length; at += 1) {
      if (at > limit) return -1;
      const char = text.charCodeAt(at);
      if (char === 0x22) {
        const quote = at;
        do {
          at = text.indexOf('"', at + 1);
          if (at < 0 || at > limit) return -1;
        } while (isEscaped(text, at, quote));
      } else if (char === 0x7b || char === 0x5b) {
        depth += 1;
      } else if (char === 0x7d || char === 0x5d) {
        if (depth === 0) return at;
        depth -= 1;
      } else if (char === 0x2c && depth === 0) {
        return at;
      }
    }
    return text.length;
  }

  /** The place behind the quote that ends a string. */
  *#endOfString(start: number): Generator<undefined, number> {
    let pauseAt = start + turnLength;
    for (let at = start + 1; ; at += 1) {
      at = this.#text.indexOf('"', at);
      if (at < 0) throw malformed();
      if (!isEscaped(this.#text, at, start)) return at + 1;
      if (at < pauseAt) continue;
      yield;
      pauseAt = at + turnLength;
    }
  }
}

/** As JSON.parse does, so that `__proto__` is a name like any other. */
function setOwn(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    ...{ value, writable: true, enumerable: true, configurable: true },
  });
}

function skipSpace(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return at;
  }
  return text.length;
}
