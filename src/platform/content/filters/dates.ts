import { LRUCache } from 'lru-cache';
import { fromWall, toWall } from '../../time/zoned-time.ts';
import { languagesOf, maxFormatters } from './reader.ts';
import type { Reader } from './reader.ts';

/** A moment as a clock on a wall shows it. Both are milliseconds; see zoned-time.ts. */
export interface Moment {
  instant: number;
  wall: number;
  /** Undefined for an offset without a name. */
  timezone: string | undefined;
}

/** Milliseconds on both sides of 1970 that every zone can show. */
const latestInstant = 8.64e15 - 2 * 86_400_000;
const minuteMs = 60_000;

const namedZones = new LRUCache<string, string>({ max: maxFormatters });

/** The name of a time zone in its usual spelling; undefined where there is none of this name. */
export function timezoneOf(name: unknown): string | undefined {
  if (typeof name !== 'string' || /^[+-]|^$/.test(name)) return undefined;
  const known = namedZones.get(name);
  if (known !== undefined) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    namedZones.set(name, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}

/** A time that ends with its zone, such as 10:00Z, 10:00 +0100 or 10:00 GMT. */
const zoned = /\d\s*(?:z|utc|gmt|[ecmp][sd]t|:\d{2}(?:\.\d+)?\s*[+-]\d{2}:?\d{2})(?:\s*\(.*\))?$/i;

/**
 * The moment that a value names; undefined where it names none. A day, or a time without a zone, is
 * the same on every clock.
 */
export function momentOf(value: unknown, zone: string | number, nowMs: number): Moment | undefined {
  if (value === 'now' || value === 'today') return momentAt(nowMs, zone);
  if (typeof value === 'number') return momentAt(value * 1_000, zone);
  if (typeof value !== 'string' || value === '') return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return momentAt(Number(text) * 1_000, zone);
  if (zoned.test(text)) return momentAt(Date.parse(text), zone);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i.test(text);
  const wall = Date.parse(isDay ? text : isTime ? `${text.replace(' ', 'T')}Z` : `${text} UTC`);
  if (!isShown(wall)) return undefined;
  return typeof zone === 'number'
    ? { wall, instant: wall + zone * minuteMs, timezone: undefined }
    : { wall, instant: fromWall(wall, zone), timezone: zone };
}

const isShown = (ms: number) => Math.abs(ms) <= latestInstant;

/** A number is an offset in minutes, counted to the west as JavaScript does. */
function momentAt(instant: number, zone: string | number): Moment | undefined {
  if (!isShown(instant)) return undefined;
  return typeof zone === 'number'
    ? { instant, wall: instant - zone * minuteMs, timezone: undefined }
    : { instant, wall: toWall(instant, zone), timezone: zone };
}

const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: maxFormatters });

/** Fields count by the Gregorian calendar, so its names go with them in every language. */
function formatterOf(reader: Reader, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([reader.locale, options]);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(languagesOf(reader), {
    ...{ calendar: 'gregory', timeZone: 'UTC' },
    ...options,
  });
  formatters.set(key, made);
  return made;
}

const formatted = (at: number, reader: Reader, options: Intl.DateTimeFormatOptions) =>
  formatterOf(reader, options).format(at);

const partOf = (
  at: number,
  reader: Reader,
  type: Intl.DateTimeFormatPartTypes,
  options: Intl.DateTimeFormatOptions,
) =>
  formatterOf(reader, options)
    .formatToParts(at)
    .find((part) => part.type === type)?.value;

/** Many languages write the month after a day in another form than the month alone. */
function monthName({ wall }: Moment, reader: Reader, style: 'long' | 'short', hasDay: boolean) {
  const afterDay = hasDay && partOf(wall, reader, 'month', { month: style, day: 'numeric' });
  return afterDay && /\p{L}/u.test(afterDay) ? afterDay : formatted(wall, reader, { month: style });
}

function zoneName(moment: Moment, reader: Reader): string {
  const { instant, timezone: timeZone } = moment;
  const name =
    timeZone === undefined
      ? undefined
      : partOf(instant, reader, 'timeZoneName', { timeZone, timeZoneName: 'short' });
  return name ?? offsetOf(moment, '');
}

function offsetOf({ wall, instant }: Moment, colon: string): string {
  const minutes = Math.round(Math.abs(wall - instant) / minuteMs);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const [one, other] = [hours, rest].map((part) => String(part).padStart(2, '0'));
  return `${wall < instant ? '-' : '+'}${one ?? ''}${colon}${other ?? ''}`;
}

const dayMs = 86_400_000;

/** Weeks since the first one of the year that begins with this day of the week (Sunday is 0). */
function weekOf(dayOfYear: number, weekday: number, firstDay: number): number {
  return Math.floor((dayOfYear - 1 - ((weekday - firstDay + 7) % 7) + 7) / 7);
}

function ordinalOf(day: number, { locale }: Reader): string {
  if (!/^en\b/i.test(locale)) return '';
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/** Width and filling of the fields that have them. */
const widths: Readonly<Record<string, number>> = {
  ...{ C: 2, d: 2, e: 2, H: 2, I: 2, j: 3, k: 2, l: 2, L: 3, m: 2 },
  ...{ M: 2, S: 2, U: 2, W: 2, y: 2, Y: 4 },
};
const filledBySpaces = 'aAbBcehklpPxXZ';

/** A date by the directives of strftime. `use` counts the characters of paddings. */
export function formatDate(
  moment: Moment,
  format: string,
  reader: Reader,
  use: (characters: number) => void,
): string {
  const { wall, instant } = moment;
  const at = new Date(wall);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const [hours, weekday] = [at.getUTCHours(), at.getUTCDay()];
  const midnight = wall - (((wall % dayMs) + dayMs) % dayMs);
  const dayOfYear = () =>
    Math.round((midnight - new Date(0).setUTCFullYear(year, 0, 1)) / dayMs) + 1;
  const hasDay = /%[-_0^#]*\d*[de]/.test(format);
  const fields: Readonly<Record<string, (flags: string, width: number) => string | number>> = {
    a: () => formatted(wall, reader, { weekday: 'short' }),
    A: () => formatted(wall, reader, { weekday: 'long' }),
    b: () => monthName(moment, reader, 'short', hasDay),
    h: () => monthName(moment, reader, 'short', hasDay),
    B: () => monthName(moment, reader, 'long', hasDay),
    c: () => formatted(wall, reader, { dateStyle: 'long', timeStyle: 'short' }),
    x: () => formatted(wall, reader, { dateStyle: 'long' }),
    X: () => formatted(wall, reader, { timeStyle: 'short' }),
    C: () => Math.floor(year / 100),
    d: () => day,
    e: () => day,
    H: () => hours,
    k: () => hours,
    I: () => hours % 12 || 12,
    l: () => hours % 12 || 12,
    j: dayOfYear,
    L: () => at.getUTCMilliseconds(),
    m: () => month + 1,
    M: () => at.getUTCMinutes(),
    N: (_, width) =>
      String(at.getUTCMilliseconds())
        .padStart(3, '0')
        .padEnd(width || 9, '0'),
    p: () => (hours < 12 ? 'AM' : 'PM'),
    P: () => (hours < 12 ? 'am' : 'pm'),
    q: () => ordinalOf(day, reader),
    s: () => Math.floor(instant / 1_000),
    S: () => at.getUTCSeconds(),
    u: () => weekday || 7,
    U: () => weekOf(dayOfYear(), weekday, 0),
    w: () => weekday,
    W: () => weekOf(dayOfYear(), weekday, 1),
    y: () => ((year % 100) + 100) % 100,
    Y: () => year,
    z: (flags) => offsetOf(moment, flags.includes(':') ? ':' : ''),
    Z: () => zoneName(moment, reader),
    t: () => '\t',
    n: () => '\n',
    '%': () => '%',
  };
  return format.replaceAll(
    /%([-_0^#:]*)(\d*)[EO]?(.)/g,
    (directive, flags: string, digits: string, name: string) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (!field) return directive;
      const width = Number(digits);
      use(width);
      const text = String(field(flags, width));
      const isRaised = flags.includes('^') || (flags.includes('#') && /\p{Ll}/u.test(text));
      const cased = isRaised ? text.toUpperCase() : flags.includes('#') ? text.toLowerCase() : text;
      if (flags.includes('-') || name === 'N') return cased;
      const filling = flags.includes('0') || !filledBySpaces.includes(name) ? '0' : ' ';
      const filled = flags.includes('_') ? ' ' : filling;
      const wide = width || (widths[name] ?? 0);
      return filled === '0' && cased.startsWith('-')
        ? `-${cased.slice(1).padStart(wide - 1, '0')}`
        : cased.padStart(wide, filled);
    },
  );
}
