/**
 * Wall clocks by IANA zone. A "wall" is the local time there, as the milliseconds that UTC would
 * have with the same date and time; instants are milliseconds since 1970.
 */

const dayMs = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timezone, clock);
  return clock;
}

const minuteMs = 60_000;
/** Since then no clock was put forward or back within a minute. */
const wholeMinutesSince = Date.UTC(1973, 0);
/** Offset of each zone from UTC in the minute that was requested last. */
const latest = new Map<string, { minute: number; aheadMs: number }>();

/** Local time of the zone at an instant. */
export function toWall(instant: number, timezone: string): number {
  if (instant < wholeMinutesSince) return showAt(instant, timezone);
  const minute = Math.floor(instant / minuteMs);
  const known = latest.get(timezone);
  if (known?.minute === minute) return instant + known.aheadMs;
  const aheadMs = showAt(instant, timezone) - instant;
  latest.set(timezone, { minute, aheadMs });
  return instant + aheadMs;
}

function showAt(instant: number, timezone: string): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of clockOf(timezone).formatToParts(instant)) parts[type] = value;
  const number = (name: Intl.DateTimeFormatPartTypes) => Number(parts[name]);
  const year = parts.era === 'BC' ? 1 - number('year') : number('year');
  const wall = new Date(0);
  wall.setUTCFullYear(year, number('month') - 1, number('day'));
  wall.setUTCHours(number('hour'), number('minute'), number('second'));
  return wall.getTime() + modulo(instant, 1_000);
}

/**
 * The instant of a local time in the zone. If it occurs twice (clocks are set back), the first one.
 * If it never occurs (clocks are set forward), it is later by the length of the gap, so that the
 * start of a day without midnight is its first moment.
 */
export function fromWall(wall: number, timezone: string): number {
  const before = wall - offsetAt(wall - dayMs, timezone);
  const after = wall - offsetAt(wall + dayMs, timezone);
  const hits = [before, after].filter((instant) => toWall(instant, timezone) === wall);
  return hits.length > 0 ? Math.min(...hits) : before;
}

function offsetAt(instant: number, timezone: string): number {
  return toWall(instant, timezone) - instant;
}

/** Minutes since midnight of HH:MM. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Milliseconds since midnight of a wall time. */
export const timeOfDay = (wall: number) => modulo(wall, dayMs);

export const calendarUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

/** The start of the unit that contains a wall time; weeks begin on Monday. */
export function startOf(unit: CalendarUnit, wall: number): number {
  const date = new Date(wall);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'day':
      return wall - timeOfDay(wall);
    case 'week': {
      // 1 January 1970 was a Thursday.
      const day = wall - timeOfDay(wall);
      return day - modulo(day / dayMs + 3, 7) * dayMs;
    }
    case 'month':
      return wallOf(year, month);
    case 'quarter':
      return wallOf(year, month - (month % 3));
    case 'year':
      return wallOf(year, 0);
    default:
      return unit satisfies never;
  }
}

/** A wall time moved by calendar units; the 31st becomes the last of a shorter month. */
export function addUnits(wall: number, count: number, unit: CalendarUnit): number {
  if (unit === 'day') return wall + count * dayMs;
  if (unit === 'week') return wall + count * 7 * dayMs;
  const months = count * { month: 1, quarter: 3, year: 12 }[unit];
  const date = new Date(wall);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(wallOf(year, month + 1) - dayMs).getUTCDate();
  return wallOf(year, month, Math.min(date.getUTCDate(), lastDay)) + timeOfDay(wall);
}

/** Midnight of a date, with months from 0; unlike Date.UTC it supports the years before 100. */
export function wallOf(year: number, month: number, day = 1): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;
