import { ProblemList, fail } from './errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const maxDepth = 32;
const defaultMaxKeys = 10_000;

/**
 * Parses a JSON body. Beyond JSON.parse it refuses what would be changed or lost silently: invalid
 * UTF-8, repeated keys, and numbers that a double cannot hold; and what would break later: more
 * than 32 levels, more than `maxKeys` keys, NUL and lone surrogates in strings.
 */
export function parseJson(bytes: Uint8Array, maxKeys = defaultMaxKeys): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw fail('invalid_json', { detail: 'The body is not valid UTF-8.' });
  }
  const excess = findExcess(text, maxKeys);
  if (excess) throw fail('invalid_json', { detail: excess });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would quote the body.
    throw fail('invalid_json', { detail: 'The body is not valid JSON.' });
  }
  const problems = new ProblemList();
  findBadText(value, '', problems);
  problems.check();
  return value;
}

/**
 * The JSON value of a body that somebody else's program wrote, of which nothing is expected;
 * undefined when it is none, or deeper than any envelope.
 */
export function readForeignJson(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    return isDeeperThan(text, maxForeignDepth) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const maxForeignDepth = 64;

function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== 0x22; at += 1) {
        if (text.charCodeAt(at) === 0x5c) at += 1;
      }
    } else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** The same value in words that Postgres can keep: NUL and lone surrogates become U+FFFD. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') {
    return isStorable(value) ? value : value.toWellFormed().replaceAll('\0', '\uFFFD');
  }
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [String(storable(key)), storable(item)]),
  );
}

/** One pass over the text; malformed input is left to JSON.parse. */
function findExcess(text: string, maxKeys: number): string | undefined {
  const scopes: (Set<string> | undefined)[] = [];
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x7b || char === 0x5b) {
      scopes.push(char === 0x7b ? new Set() : undefined);
      if (scopes.length > maxDepth) return `The body is deeper than ${String(maxDepth)} levels.`;
    } else if (char === 0x7d || char === 0x5d) {
      scopes.pop();
    } else if (char === 0x22) {
      const start = at;
      for (at += 1; at < text.length && text.charCodeAt(at) !== 0x22; at += 1) {
        if (text.charCodeAt(at) === 0x5c) at += 1;
      }
      const scope = scopes.at(-1);
      if (scope && isKey(text, at + 1)) {
        const key = text.slice(start, at + 1);
        const name = key.includes('\\') ? readString(key) : key;
        if (scope.has(name)) return 'A key stands twice in one object.';
        scope.add(name);
        keys += 1;
        if (keys > maxKeys) return `The body has more than ${String(maxKeys)} keys.`;
      }
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const start = at;
      while (at + 1 < text.length && /[0-9.eE+-]/.test(text.charAt(at + 1))) at += 1;
      if (at - start >= 15 && !isExact(text.slice(start, at + 1))) {
        return 'A number is too large or too fine to be kept exactly.';
      }
    }
  }
  return undefined;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

function readString(quoted: string): string {
  try {
    return `"${String(JSON.parse(quoted))}"`;
  } catch {
    return quoted;
  }
}

/** Only integers matter: a fraction that rounds to an integer would pass for an amount. */
function isExact(token: string): boolean {
  const value = Number(token);
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(value);
  return Number.isFinite(value) && !Number.isInteger(value);
}

function findBadText(value: unknown, pointer: string, problems: ProblemList): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) {
      problems.add({
        code: 'validation_failed',
        detail: 'Text must not contain NUL or lone surrogates.',
        meta: { pointer, rule: 'format' },
      });
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (problems.isFull) return;
      findBadText(item, `${pointer}/${String(index)}`, problems);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (problems.isFull) return;
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (isStorable(key)) findBadText(item, at, problems);
      else findBadText(key, pointer, problems);
    }
  }
}

/** Postgres can neither store NUL nor keep a lone surrogate apart from U+FFFD. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
