import type { Row } from './values.ts';
import { textOf } from './values.ts';

/** The window of an answer: its instants are days of the zone that was asked, not of the browser. */
export interface Source {
  start: string;
  end: string;
  zone: string;
  bucket: string;
}

const formats: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  hour: { day: 'numeric', month: 'numeric', hour: '2-digit', minute: '2-digit' },
  month: { year: 'numeric', month: 'short' },
};
const dayFormat = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;

/** The start of a bucket as people write it. */
export function bucketLabel({ zone, bucket }: Source, start: unknown): string {
  const options = formats[bucket] ?? dayFormat;
  return new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone }).format(
    new Date(textOf(start)),
  );
}

/** The start of a bucket for programs: a day, or an hour with its distance from UTC (ISO 8601). */
export function bucketStart({ zone, bucket }: Source, start: unknown): string {
  const atMs = Date.parse(textOf(start));
  const style = { dateStyle: 'short', timeStyle: 'medium', timeZone: zone } as const;
  // Swedish is written as ISO 8601.
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', style)
    .format(new Date(atMs))
    .split(' ');
  if (bucket !== 'hour') return day;
  const minutes = Math.round((Date.parse(`${day}T${time}Z`) - atMs) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day}T${time}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

/** From when to when an answer counts; its end is the first moment that is not counted. */
export function windowOf({ start, end, zone }: Source): string {
  const format = new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  });
  return `From ${format.format(new Date(start))} to ${format.format(new Date(end))}, ${zone}.`;
}

/** Rows of a series with their starts as a program reads them. */
export const withStarts = (source: Source, rows: readonly Row[]): Row[] =>
  rows.map((row) => ({ ...row, start: bucketStart(source, row['start']) }));
