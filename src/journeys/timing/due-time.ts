import { clampInstant } from '../../platform/time/rules.ts';
import { fromWall, minutesOf, timeOfDay, toWall } from '../../platform/time/zoned-time.ts';
import type { Trigger } from '../../campaigns/messages/message.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Timing = Pick<Trigger, 'date' | 'delay' | 'at_local_time' | 'weekday_mask'>;

/**
 * When a step is due whose trigger came at `fromMs`: after its delay, and from then on at the first
 * moment at which a clock in the contact's zone shows its time of day on one of its weekdays. Weeks
 * and days of a delay are those of the calendar there, so that "three days later" is the same time
 * of day also where clocks change. A date stands for the moment of the trigger. Milliseconds, no
 * later than the last instant that is stored.
 */
export function dueTime(timing: Timing, fromMs: number, timezone: string): number {
  return clampInstant(dueTimeOf(timing, fromMs, timezone));
}

function dueTimeOf(timing: Timing, fromMs: number, timezone: string): number {
  const { date, delay, at_local_time: localTime, weekday_mask: weekdays } = timing;
  const startMs = date === undefined ? fromMs : Date.parse(date);
  const earliestMs = delay === undefined ? startMs : afterDelay(delay, startMs, timezone);
  if (localTime === undefined && weekdays === undefined) return earliestMs;
  const wall = toWall(earliestMs, timezone);
  let requested = wall;
  if (localTime !== undefined) {
    requested = wall - timeOfDay(wall) + minutesOf(localTime) * minuteMs;
    if (requested < wall) requested += dayMs;
  }
  if (weekdays !== undefined) while (!isOnWeekday(requested, weekdays)) requested += dayMs;
  const requestedMs = fromWall(requested, timezone);
  // Where clocks go back the same time comes twice: not the one before the delay is over.
  return requestedMs < earliestMs || requested === wall
    ? earliestMs + (requested - wall)
    : requestedMs;
}

function afterDelay(delay: string, fromMs: number, timezone: string): number {
  const amount = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(delay)?.[1] ?? 0);
  const days = amount('W') * 7 + amount('D');
  const movedMs = days === 0 ? fromMs : fromWall(toWall(fromMs, timezone) + days * dayMs, timezone);
  return movedMs + amount('H') * hourMs + amount('M') * minuteMs;
}

function isOnWeekday(wall: number, mask: number): boolean {
  // 1 January 1970 was a Thursday; Monday is the first bit.
  const weekday = (((Math.floor(wall / dayMs) + 3) % 7) + 7) % 7;
  return (mask & (1 << weekday)) !== 0;
}
