import type { Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { fail } from '../http/errors.ts';
import type { Reader } from './filters/reader.ts';
import { createEngine, maxValueLength, renderFor } from './liquid-engine.ts';
import { findPieces, hasTooMuchLiquid, maxPieces } from './pieces.ts';
import { cutText } from '../cut-text.ts';

/** Items of a list that are read; further ones are left out. */
export const maxListItems = 1_000;
/** Characters that one source may become. */
const maxOutputLength = 1_000_000;

const engines = { text: createEngine(false), html: createEngine(true) };
type Kind = keyof typeof engines;

/** A source that was parsed, and the paths of the variables that it names. */
interface Parsed {
  templates: Template[];
  paths: readonly string[];
}

/**
 * Limit of cached parsed sources, in characters: a message has many recipients, and parsing is
 * slow.
 */
const keptLength = 1_000_000;
const keptParsed = () =>
  new LRUCache<string, Parsed>({
    maxSize: keptLength,
    sizeCalculation: (_, source) => source.length,
  });
const kept = { text: keptParsed(), html: keptParsed() };

/** Throws what the engine throws where the source is no Liquid. */
function parsed(kind: Kind, source: string): Parsed {
  const known = kept[kind].get(source);
  if (known) return known;
  const templates = engines[kind].parse(source);
  // The engine counts lines up to each variable: the text around the Liquid would cost the square.
  const pieces = [...findPieces(source)].map(({ start, end }) => source.slice(start, end)).join('');
  const segments = engines[kind].globalVariableSegmentsSync(engines[kind].parse(pieces));
  const paths = [...new Set(segments.map((path) => path.map(nameOf).join('.')))];
  kept[kind].set(source, { templates, paths });
  return { templates, paths };
}

/** Why a source is no Liquid that we take, without any of its text; undefined where it is. */
export function liquidProblem(source: string): string | undefined {
  if (!isLiquid(source)) return undefined;
  if (hasTooMuchLiquid(source)) {
    return `it has more than ${String(maxPieces)} tags and outputs, or too long ones`;
  }
  try {
    const paths = variablesOf(source);
    if (paths.some((path) => path.includes('[]'))) return 'it picks a variable by another one';
    if (hasGroup(paths)) {
      return 'it uses a group of variables as if it were one';
    }
    return isRenderable(source) ? undefined : 'a filter is given what it cannot take';
  } catch (error) {
    return describe(error);
  }
}

/** Whether one of the paths is the beginning of another, and not the list or text that it reads. */
function hasGroup(paths: readonly string[]): boolean {
  const root: PathNode = { isEnd: false, inner: new Map() };
  const named = new Set(paths);
  for (const path of paths) {
    if (named.has(wholeOf(path) ?? '')) continue;
    let node = root;
    for (const name of path.split('.')) {
      if (node.isEnd) return true;
      const next: PathNode = node.inner.get(name) ?? { isEnd: false, inner: new Map() };
      node.inner.set(name, next);
      node = next;
    }
    if (node.inner.size > 0) return true;
    node.isEnd = true;
  }
  return false;
}

interface PathNode {
  isEnd: boolean;
  inner: Map<string, PathNode>;
}

/**
 * The list or text of which a path reads a part, such as contact.tags of contact.tags.size; undefined
 * for other paths.
 */
export function wholeOf(path: string): string | undefined {
  return /^(.+)\.(?:size|first|last|\d+)$/.exec(path)?.[1];
}

/** Values of each type that a variable can have: what renders with one of them is accepted. */
const samples: readonly Value[] = ['2026-01-01T12:00:00Z', 1, ['Europe/Berlin']];

function isRenderable(source: string): boolean {
  return samples.some((sample) => {
    try {
      const reader = { locale: 'en-US', timezone: 'UTC', currency: 'USD' };
      renderText(source, { ...reader, read: () => sample });
      return true;
    } catch {
      return false;
    }
  });
}

const isLiquid = (source: string) => /\{\{|\{%/.test(source);

const causes: readonly [RegExp, string][] = [
  [/^undefined filter/, 'it uses a filter that is not available'],
  [/^tag .* not found/, 'it uses a tag that is not available'],
  [/not closed/, 'a tag or an output is not closed'],
];

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const cause = causes.find(([pattern]) => pattern.test(message))?.[1] ?? 'it cannot be parsed';
  const place = /line:(\d+), col:(\d+)/.exec(message);
  return place ? `${cause} (line ${place[1] ?? ''}, column ${place[2] ?? ''})` : cause;
}

/** Paths of the variables that a source names, such as "contact.first_name". */
export function variablesOf(source: string): string[] {
  return isLiquid(source) ? [...parsed('text', source).paths] : [];
}

const nameOf = (segment: unknown) => (Array.isArray(segment) ? '[]' : String(segment));

type Scalar = string | number | boolean;
export type Value = Scalar | readonly Scalar[] | null | undefined;

/** Values by path, for a reader. What a source names and this lacks shows as nothing. */
export interface Values extends Reader {
  read(path: string): Value;
}

/** Renders the source as plain text. Throws 422 if rendering exceeds its limits. */
export function renderText(source: string, values: Values): string {
  return render('text', source, values);
}

/**
 * Renders the source as HTML, with every value escaped. Throws 422 if rendering exceeds its limits.
 */
export function renderHtml(source: string, values: Values): string {
  return render('html', source, values);
}

function render(kind: Kind, source: string, values: Values): string {
  if (!isLiquid(source)) return source;
  let output: string;
  try {
    const { templates, paths } = parsed(kind, source);
    output = renderFor(engines[kind], templates, scopeOf(paths, values), values);
  } catch {
    // The message of the engine quotes the source, so it is replaced. The partner can fix such
    // content.
    throw tooMuch();
  }
  if (output.length > maxOutputLength) throw tooMuch();
  return output;
}

/** The 422 of content that exceeds the limits of rendering. */
export const tooMuch = () =>
  fail('validation_failed', {
    detail: 'The content is too costly to render, or a filter got an unsupported value.',
    meta: { rule: 'render' },
  });

interface Scope {
  [name: string]: Scope | Exclude<Value, undefined>;
}

/** Every variable of the source, and nothing else; a name such as __proto__ is one like others. */
function scopeOf(paths: readonly string[], values: Values): Scope {
  const root = emptyScope();
  for (const path of paths) {
    const value = values.read(path);
    const whole = value == null ? wholeOf(path) : undefined;
    const found = whole === undefined ? value : values.read(whole);
    place(root, (whole ?? path).split('.'), cut(found ?? null));
  }
  return root;
}

function place(root: Scope, names: readonly string[], value: Exclude<Value, undefined>): void {
  let scope = root;
  for (const name of names.slice(0, -1)) {
    const inner = scope[name] ?? emptyScope();
    if (!isScope(inner)) return;
    scope = scope[name] = inner;
  }
  const last = names.at(-1) ?? '';
  if (!isScope(scope[last])) scope[last] = value;
}

const isScope = (value: unknown): value is Scope =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function cut(value: Exclude<Value, undefined>): Exclude<Value, undefined> {
  if (typeof value === 'string') return cutText(value, maxValueLength);
  if (typeof value !== 'object' || value === null) return value;
  return value.map((item) => (typeof item === 'string' ? cutText(item, maxValueLength) : item));
}

function emptyScope(): Scope {
  const scope: Scope = {};
  Object.setPrototypeOf(scope, null);
  return scope;
}
