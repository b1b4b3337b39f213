import {
  ForTag,
  Liquid,
  TokenKind,
  defaultOperators,
  evalToken,
  filters as builtIn,
} from 'liquidjs';
import type { Context, Emitter, Parser, TagToken, Template, TopLevelToken } from 'liquidjs';
import { cutText } from '../cut-text.ts';
import { escapeHtml } from './html.ts';
import { currencyOf, formatMoney, formatNumber, numberOf } from './filters/amounts.ts';
import { formatDate, momentOf, timezoneOf } from './filters/dates.ts';
import type { Reader } from './filters/reader.ts';

/**
 * The part of Liquid that partners may use: outputs with filters, `if`, `unless`, `case`, and `for`
 * over a list that is a variable. Without assignments, ranges and files, the output is bounded by the
 * input, and the variables of a source are exactly those that it names.
 */

const tags = new Set(['if', 'unless', 'case', 'for']);

/** Characters of a value or a list that are shown; longer ones are cut. */
export const maxValueLength = 1_000;

/** Bounds of one source; characters, milliseconds of rendering, and units that filters use up. */
const limits = { parseLimit: 600_000, renderLimit: 500, memoryLimit: 500_000 };
/** Units of each directive of a date: it may build a formatter of the locale, in about 0.1 ms. */
const dateDirectiveUnits = 5_000;
/** Units of an amount, for the same reason. */
const amountUnits = 1_000;
/** Units of a call that splits text into words, for each character. */
const wordUnits = 3;
/** Characters that the bodies of all loops of one source may become, values aside. */
const maxLoopLength = 20_000;

/** A filter with its call: where it is written, and what it may use up. */
type Call = ThisParameterType<Exclude<(typeof builtIn)[string], { raw: boolean }>>;
type Filter = (this: Call, value: unknown, ...rest: unknown[]) => unknown;

const readers = new WeakMap<object, Reader>();

function readerOf({ context }: Call): Reader {
  const reader = readers.get(context.environments);
  if (!reader) throw new Error('rendered without a reader');
  return reader;
}

/** Renders what was parsed by the engine with the variables of `scope`, for a reader. */
export function renderFor(
  engine: Liquid,
  templates: Template[],
  scope: object,
  reader: Reader,
): string {
  readers.set(scope, reader);
  return String(engine.renderSync(templates, scope));
}

/** Texts of lists, which a source may show as often as it has outputs. */
const listTexts = new WeakMap<readonly unknown[], string>();

function listText(list: readonly unknown[]): string {
  const known = listTexts.get(list);
  if (known !== undefined) return known;
  const text = cutText(list.join(', '), maxValueLength);
  listTexts.set(list, text);
  return text;
}

/** A list as text, and nothing for a result that is no number, as after a division by zero. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return listText(value);
  return typeof value === 'number' && !Number.isFinite(value) ? '' : value;
}

function textOf(value: unknown): string {
  const one = shown(value);
  if (typeof one === 'string') return one;
  return typeof one === 'number' || typeof one === 'boolean' ? String(one) : '';
}

/** An argument that cannot be right is refused where it is written; a value is left out. */
function refuseLiteral({ token }: Call, at: number): void {
  const argument = token.args[at];
  const isWritten =
    argument && !Array.isArray(argument) && argument.kind !== TokenKind.PropertyAccess;
  if (isWritten) throw new Error(`${token.name} cannot take this argument`);
}

/** An unknown zone that comes from a value is replaced by that of the reader. */
function zoneFor(call: Call, zone: unknown): string | number {
  const { timezone } = readerOf(call);
  if (zone == null || zone === '') return timezone;
  const found =
    typeof zone === 'number' && Math.abs(zone) <= 1_440 ? Math.trunc(zone) : timezoneOf(zone);
  if (found === undefined) refuseLiteral(call, 1);
  return found ?? timezone;
}

/** Arithmetic of the engine; what has no number as its result stays without one. */
function arithmetic(name: string): Filter {
  const filter = handlerOf(name);
  return function (value, ...rest) {
    const numbers = [value, ...rest];
    if (numbers.some((one) => typeof one === 'number' && Number.isNaN(one))) return Number.NaN;
    const result = filter.call(this, value, ...rest);
    if (typeof result !== 'number' || Number.isFinite(result)) return result;
    if (name === 'divided_by' && Number(rest[0]) === 0) refuseLiteral(this, 0);
    return Number.NaN;
  };
}

function handlerOf(name: string): Filter {
  const filter = builtIn[name];
  if (typeof filter !== 'function') throw new Error(`the engine has no filter ${name}`);
  return filter;
}

/** Filters that read a list as such; the others read it as its text. */
const listFilters = ['default', 'join', 'size', 'first', 'last'];
/** Filters that read a result that is no number as such. */
const arithmeticFilters = ['plus', 'minus', 'times', 'divided_by', 'round', 'ceil', 'floor'];

const filters = new Map<string, Filter>([
  ...['upcase', 'downcase', 'capitalize', 'strip', 'lstrip', 'rstrip', 'truncate', 'append'].map(
    (name) => [name, handlerOf(name)] as const,
  ),
  ...['prepend', ...listFilters].map((name) => [name, handlerOf(name)] as const),
  ...arithmeticFilters.map((name) => [name, arithmetic(name)] as const),
  [
    'truncatewords',
    function (value, ...rest) {
      this.context.memoryLimit.use(wordUnits * textOf(value).length);
      return handlerOf('truncatewords').call(this, value, ...rest);
    },
  ],
  // The engine does not count the output of this filter: a chain of it triples the text each time.
  [
    'url_encode',
    function (value) {
      const text = encodeURIComponent(textOf(value)).replaceAll('%20', '+');
      this.context.memoryLimit.use(text.length);
      return text;
    },
  ],
  [
    'date',
    function (value, requestedFormat, zone) {
      const format =
        requestedFormat == null ? this.context.opts.dateFormat : textOf(requestedFormat);
      const { memoryLimit } = this.context;
      memoryLimit.use(dateDirectiveUnits * format.split('%').length);
      const moment = momentOf(value, zoneFor(this, zone), Date.now());
      if (!moment) return value;
      return formatDate(moment, format, readerOf(this), (units) => {
        memoryLimit.use(units);
      });
    },
  ],
  [
    'number',
    function (value, places) {
      this.context.memoryLimit.use(amountUnits);
      const number = numberOf(value);
      const digits = places == null ? undefined : numberOf(places);
      if (places != null && digits === undefined) refuseLiteral(this, 0);
      return number === undefined ? value : formatNumber(number, readerOf(this), digits);
    },
  ],
  [
    'money',
    function (value, code) {
      this.context.memoryLimit.use(amountUnits);
      const amount = numberOf(value);
      const reader = readerOf(this);
      const currency = currencyOf(this.token.args.length === 0 ? reader.currency : code);
      if (currency === undefined) refuseLiteral(this, 0);
      if (amount === undefined) return value;
      // An amount without its currency says something else.
      return currency === undefined ? '' : formatMoney(amount, currency, reader);
    },
  ],
]);

/** A loop over a variable. Each round counts for all that is in it: loops may be within each other. */
class ListLoop extends ForTag {
  readonly #roundLength: number;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    const before = [...remaining];
    super(token, remaining, liquid, parser);
    if (this.collection.kind !== TokenKind.PropertyAccess) throw new Error('illegal tag: for');
    const inside = before.slice(0, before.length - remaining.length);
    this.#roundLength = inside.reduce((sum, { begin, end }) => sum + end - begin, 0);
  }

  override *render(context: Context, emitter: Emitter): ReturnType<ForTag['render']> {
    const list: unknown = yield evalToken(this.collection, context);
    const rounds = Array.isArray(list) ? list.length : 1;
    context.memoryLimit.use((rounds * this.#roundLength * limits.memoryLimit) / maxLoopLength);
    return yield* super.render(context, emitter);
  }
}

function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole)) return whole.includes(part);
  return typeof whole === 'string' && whole.includes(textOf(part));
}

export function createEngine(isHtml: boolean): Liquid {
  const engine = new Liquid({
    ...limits,
    outputEscape: isHtml
      ? function (this: Call, value: unknown) {
          const text = textOf(value);
          this.context.memoryLimit.use(text.length);
          return escapeHtml(text);
        }
      : textOf,
    // That of the engine takes a microsecond for each item of a list.
    operators: { ...defaultOperators, contains },
    strictFilters: true,
    ownPropertyOnly: true,
    // Without a file system, templates are searched in an empty list.
    templates: {},
  });
  for (const name of Object.keys(engine.tags)) {
    if (!tags.has(name)) Reflect.deleteProperty(engine.tags, name);
  }
  engine.registerTag('for', ListLoop);
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of filters) {
    const isRead = (value: unknown) =>
      Array.isArray(value) ? listFilters.includes(name) : arithmeticFilters.includes(name);
    const readable = (value: unknown) => (isRead(value) ? value : shown(value));
    engine.registerFilter(name, function (value: unknown, ...rest: unknown[]) {
      // A named argument comes as a pair.
      const given = rest.map((one, at) =>
        Array.isArray(this.token.args[at]) ? one : readable(one),
      );
      return filter.call(this, readable(value), ...given);
    });
  }
  return engine;
}
