import { isTimestamp, isTimezone } from '../schema/fields.ts';
import { fail } from '../http/errors.ts';
import { addUnits, fromWall, startOf, toWall, wallOf } from './zoned-time.ts';
import type { CalendarUnit } from './zoned-time.ts';
import { toTimestamp } from './rules.ts';

export type Bucket = 'hour' | 'day' | 'week' | 'month';

/** A window in time, as insights and counts report it. */
export interface Period {
  /** RFC 3339 in UTC; inclusive. */
  start: string;
  /** RFC 3339 in UTC; exclusive, never in the future. */
  end: string;
  /** IANA name in which days and longer units begin and end. */
  timezone: string;
  /** The grain of time series over the window. */
  bucket: Bucket;
}

/** Context in which words are interpreted. */
export interface PeriodContext {
  nowMs: number;
  /** The team's, where the request names none. */
  timezone: string;
  /** `all_time` begins here, at most five years back. */
  teamCreatedMs: number;
}

interface Span {
  start: number;
  end: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxDays = 731;
const defaultPeriod = 'P30D';

const periodExamples = [
  'P30D',
  'PT24H',
  'last_month',
  '2026-Q1',
  '2026-W07',
  '2026-01-31',
  '2026-01-01/2026-02-01',
  '2026-01-01T09:00:00Z/PT12H',
] as const;

const aliases = new Map([
  ['last_7_days', 'P7D'],
  ['last_30_days', 'P30D'],
  ['last_90_days', 'P90D'],
  ['last_12_months', 'P12M'],
]);
const keywords = new Map<string, readonly [CalendarUnit, back: number]>([
  ['today', ['day', 0]],
  ['yesterday', ['day', 1]],
  ['this_week', ['week', 0]],
  ['last_week', ['week', 1]],
  ['this_month', ['month', 0]],
  ['last_month', ['month', 1]],
  ['this_quarter', ['quarter', 0]],
  ['last_quarter', ['quarter', 1]],
  ['this_year', ['year', 0]],
  ['last_year', ['year', 1]],
]);
const durationUnits = new Map<string, CalendarUnit>([
  ['D', 'day'],
  ['W', 'week'],
  ['M', 'month'],
  ['Y', 'year'],
]);

/** The zone that a request names, or the team's. Throws 400 `invalid_timezone`. */
export function readTimezone(sent: string | undefined, ofTeam: string): string {
  if (sent === undefined) return ofTeam;
  if (isTimezone(sent)) return sent;
  throw fail('invalid_timezone', {
    detail: 'timezone is no IANA name such as Europe/Berlin.',
    meta: { parameter: 'timezone' },
  });
}

/**
 * Reads a period: a keyword (`last_month`, `all_time`), a duration up to now (`P30D`, `PT12H`), a
 * calendar unit (`2026`, `2026-Q1`, `2026-01`, `2026-W07`, `2026-01-31`) or an interval
 * (`2026-01-01/2026-02-01`, `…/P1M`). Days and longer follow the calendar of the zone, hours do
 * not. A window that reaches beyond now ends now. Throws 400 `invalid_period`.
 */
export function readPeriod(sent: string | undefined, context: PeriodContext): Period {
  const { nowMs, timezone } = context;
  const text = sent ?? defaultPeriod;
  const span = spanOf(aliases.get(text) ?? text, context);
  if (!span) throw refuse('period has none of the known forms.');
  if (span.start >= span.end) throw refuse('period ends before it begins.');
  if (span.start > nowMs) throw refuse('period lies in the future.');
  const end = Math.min(span.end, nowMs);
  const days = (toWall(end, timezone) - toWall(span.start, timezone)) / dayMs;
  if (text !== 'all_time' && days > maxDays) {
    throw refuse(`period is longer than ${String(maxDays)} days.`);
  }
  return {
    start: toTimestamp(span.start),
    end: toTimestamp(end),
    timezone,
    bucket: text === 'all_time' ? 'month' : bucketFor(days),
  };
}

/**
 * Starts of the buckets of a period, in UTC: the first bucket contains the start of the period, so
 * it may begin earlier. For `width_bucket(stamp, starts)`, which needs no calendar in SQL.
 */
export function bucketStarts({ start, end, timezone, bucket }: Period): string[] {
  const endMs = Date.parse(end);
  const startWall = toWall(Date.parse(start), timezone);
  const starts: string[] = [];
  if (bucket === 'hour') {
    // Hours are counted, not read from the clock: it shows some twice.
    const first = Date.parse(start) - (startWall % hourMs);
    for (let at = first; at < endMs; at += hourMs) starts.push(toTimestamp(at));
    return starts;
  }
  for (let wall = startOf(bucket, startWall); ; wall = addUnits(wall, 1, bucket)) {
    const at = fromWall(wall, timezone);
    if (at >= endMs) return starts;
    const text = toTimestamp(at);
    // A day that a zone leapt over begins when the next does.
    if (starts.at(-1) !== text) starts.push(text);
  }
}

function bucketFor(days: number): Bucket {
  if (days <= 2) return 'hour';
  if (days <= 92) return 'day';
  return days <= 366 ? 'week' : 'month';
}

function refuse(detail: string) {
  return fail('invalid_period', {
    detail,
    meta: { parameter: 'period', examples: periodExamples },
  });
}

function spanOf(text: string, context: PeriodContext): Span | undefined {
  const { nowMs, timezone, teamCreatedMs } = context;
  const now = toWall(nowMs, timezone);
  if (text === 'all_time') {
    const earliest = fromWall(addUnits(now, -5, 'year'), timezone);
    return { start: Math.min(Math.max(teamCreatedMs, earliest), nowMs - 1), end: nowMs };
  }
  const keyword = keywords.get(text);
  if (keyword) {
    const [unit, back] = keyword;
    const start = addUnits(startOf(unit, now), -back, unit);
    // The first moment of a unit is a window of its own, not an error.
    const end = Math.max(addUnits(start, 1, unit), start + 1);
    return { start: fromWall(start, timezone), end: fromWall(end, timezone) };
  }
  const back = shift(nowMs, text, -1, timezone);
  if (back !== undefined) return { start: back, end: nowMs };
  if (text.includes('/')) return intervalOf(text, timezone);
  const unit = calendarOf(text);
  if (!unit) return undefined;
  return { start: fromWall(unit.start, timezone), end: fromWall(unit.end, timezone) };
}

/** An instant moved by a duration; undefined where the text is none. */
function shift(at: number, text: string, sign: 1 | -1, timezone: string): number | undefined {
  const [, count = '', letter = '', hours] =
    /^P(?:([1-9]\d{0,3})([DWMY])|T([1-9]\d{0,4})H)$/.exec(text) ?? [];
  if (hours !== undefined) return at + sign * Number(hours) * hourMs;
  const unit = durationUnits.get(letter);
  if (unit === undefined) return undefined;
  return fromWall(addUnits(toWall(at, timezone), sign * Number(count), unit), timezone);
}

function intervalOf(text: string, timezone: string): Span | undefined {
  const [from = '', to = '', ...more] = text.split('/');
  const start = instantOf(from, timezone);
  if (start === undefined || more.length > 0) return undefined;
  const end = instantOf(to, timezone) ?? shift(start, to, 1, timezone);
  return end === undefined ? undefined : { start, end };
}

/**
 * A date, the start of that day; or a date and time, in the zone of the request if it names none.
 */
function instantOf(text: string, timezone: string): number | undefined {
  if (isTimestamp(text)) return Date.parse(text.toUpperCase());
  const [, date = '', time = '00:00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?$/.exec(text) ?? [];
  const full = `${date}T${time.length === 5 ? `${time}:00` : time}Z`;
  return isTimestamp(full) ? fromWall(Date.parse(full), timezone) : undefined;
}

/** A year, quarter, month, ISO week or day, in wall time. */
function calendarOf(text: string): Span | undefined {
  const [, year = '', quarter, week, month, day] =
    /^(\d{4})(?:-(?:Q([1-4])|W(\d{2})|(\d{2})(?:-(\d{2}))?))?$/.exec(text) ?? [];
  if (year === '' || year === '0000') return undefined;
  const of = (start: number, unit: CalendarUnit) => ({ start, end: addUnits(start, 1, unit) });
  const at = Number(year);
  if (quarter !== undefined) return of(wallOf(at, (Number(quarter) - 1) * 3), 'quarter');
  if (week !== undefined) {
    // Week 1 contains 4 January; the last may be 52 or 53.
    const start = addUnits(startOf('week', wallOf(at, 0, 4)), Number(week) - 1, 'week');
    const isOfYear = new Date(start + 3 * dayMs).getUTCFullYear() === at;
    return Number(week) > 0 && isOfYear ? of(start, 'week') : undefined;
  }
  if (month === undefined) return of(wallOf(at, 0), 'year');
  if (!isTimestamp(`${year}-${month}-${day ?? '01'}T00:00:00Z`)) return undefined;
  const start = wallOf(at, Number(month) - 1, Number(day ?? 1));
  return of(start, day === undefined ? 'month' : 'day');
}
