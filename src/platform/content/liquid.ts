import { Liquid } from 'liquidjs';
import type { Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { fail } from '../http/errors.ts';
import { findPieces } from './pieces.ts';

/**
 * The part of Liquid that partners may use: outputs with filters, `if`, `unless` and `case`.
 * Without loops, assignments and files, the output is bounded by the input, and the variables of a
 * source are exactly those that it names.
 */

const tags = new Set(['if', 'unless', 'case']);
const filters = new Set([
  'default',
  'upcase',
  'downcase',
  'capitalize',
  'strip',
  'lstrip',
  'rstrip',
  'truncate',
  'truncatewords',
  'append',
  'prepend',
  'date',
  'url_encode',
  'plus',
  'minus',
  'times',
  'divided_by',
  'round',
  'ceil',
  'floor',
]);

/** Bounds of one source; characters, and milliseconds of rendering. */
const limits = { parseLimit: 600_000, renderLimit: 500, memoryLimit: 2_000_000 };
/** Outputs and pieces of text that one source may render. */
const templateLimit = 10_000;
/** Characters of one value; longer ones are cut. */
const maxValueLength = 1_000;
/** Characters that one source may become. */
const maxOutputLength = 1_000_000;

function createEngine(outputEscape: boolean): Liquid {
  const engine = new Liquid({
    ...limits,
    ...(outputEscape && { outputEscape: 'escape' }),
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // Without a file system, templates are searched in an empty list.
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
  });
  for (const name of Object.keys(engine.tags)) {
    if (!tags.has(name)) Reflect.deleteProperty(engine.tags, name);
  }
  // The engine does not count the output of this filter: a chain of it triples the text each time.
  engine.registerFilter('url_encode', function (value: unknown) {
    const text = encodeURIComponent(textOf(value)).replaceAll('%20', '+');
    this.context.memoryLimit.use(text.length);
    return text;
  });
  for (const name of Object.keys(engine.filters)) {
    // The engine itself calls "escape" for its outputs.
    if (!filters.has(name) && !(outputEscape && name === 'escape')) engine.unregisterFilter(name);
  }
  return engine;
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);

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
  const segments = engines[kind].variableSegmentsSync(templates);
  const paths = [...new Set(segments.map((path) => path.map(nameOf).join('.')))];
  kept[kind].set(source, { templates, paths });
  return { templates, paths };
}

/** Tags and outputs of one source, and their characters in all: reading them costs the square. */
const maxPieces = 500;
const maxLiquidLength = 16_000;

/** Why a source is no Liquid that we take, without any of its text; undefined where it is. */
export function liquidProblem(source: string): string | undefined {
  if (!isLiquid(source)) return undefined;
  if (hasTooMuchLiquid(source)) {
    return `it has more than ${String(maxPieces)} tags and outputs, or too long ones`;
  }
  try {
    const paths = variablesOf(source);
    if (paths.some((path) => path.includes('[]'))) return 'it picks a variable by another one';
    if (paths.some((path) => paths.some((other) => other.startsWith(`${path}.`)))) {
      return 'it uses a group of variables as if it were one';
    }
    return isRenderable(source) ? undefined : 'a filter is given what it cannot take';
  } catch (error) {
    return describe(error);
  }
}

function hasTooMuchLiquid(source: string): boolean {
  let count = 0;
  let length = 0;
  for (const { start, end } of findPieces(source)) {
    count += 1;
    length += end - start;
    if (count > maxPieces || length > maxLiquidLength) return true;
  }
  return false;
}

/** Whether the source renders when each variable has a value that most filters accept. */
function isRenderable(source: string): boolean {
  try {
    renderText(source, () => '2026-01-01T12:00:00Z');
    return true;
  } catch {
    return false;
  }
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

/** Values by path; what a source names and this lacks shows as nothing. */
export type Values = (path: string) => string | number | boolean | null | undefined;

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
    output = String(engines[kind].renderSync(templates, scopeOf(paths, values), { templateLimit }));
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
    detail: 'The content takes too much to render, or a filter is given what it cannot take.',
    meta: { rule: 'render' },
  });

interface Scope {
  [name: string]: Scope | string | number | boolean | null;
}

/** Every variable of the source, and nothing else; a name such as __proto__ is one like others. */
function scopeOf(paths: readonly string[], values: Values): Scope {
  const root = emptyScope();
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let scope = root;
    for (const name of names) {
      const inner = scope[name];
      if (typeof inner === 'object' && inner !== null) scope = inner;
      else scope = scope[name] = emptyScope();
    }
    const value = values(path) ?? null;
    // The cut may split a character, and Postgres and providers accept no half of one.
    const cut = typeof value === 'string' ? value.slice(0, maxValueLength).toWellFormed() : value;
    scope[last] = cut;
  }
  return root;
}

function emptyScope(): Scope {
  const scope: Scope = {};
  Object.setPrototypeOf(scope, null);
  return scope;
}
