import { fromWall, minutesOf, timeOfDay, toWall } from '../../platform/time/zoned-time.ts';
import type { QuietHours } from '../../team/team.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** When the quiet hours end that a contact has at a moment; undefined where it has none then. */
export function quietUntil(
  { start, end }: QuietHours,
  nowMs: number,
  timezone: string,
): number | undefined {
  const wall = toWall(nowMs, timezone);
  const time = timeOfDay(wall);
  const [startMs, endMs] = [minutesOf(start) * minuteMs, minutesOf(end) * minuteMs];
  const isOverMidnight = startMs > endMs;
  const isQuiet = isOverMidnight
    ? time >= startMs || time < endMs
    : time >= startMs && time < endMs;
  if (!isQuiet) return undefined;
  const endWall = wall - time + endMs + (time < endMs ? 0 : dayMs);
  const endsMs = fromWall(endWall, timezone);
  // If clocks are set back during quiet hours, their end occurs twice.
  return endsMs > nowMs ? endsMs : nowMs + (endWall - wall);
}
