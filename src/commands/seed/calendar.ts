/** When people of a seeded year join and do things: shares that rise to 1, for `width_bucket`. */
export interface Calendar {
  startMs: number;
  endMs: number;
  /** Where each day begins, as a share of all journeys of the year. */
  days: number[];
  /** Where each of the 24 hours of such a day begins, as a share of it. */
  hours: number[];
  /** Campaigns that take recipients, day after day, by their place in the list. */
  running: number[];
  /** Where each day begins in `running`, and how many it has there. */
  firstRunning: number[];
  runningCount: number[];
}

/** Days of the year between which a campaign enrolls recipients; it may start earlier. */
export interface Span {
  fromDay: number;
  toDay: number;
}

export const daysOfYear = 365;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Sunday first: banks contact people on working days. */
const weekdays = [0.45, 1.2, 1.25, 1.2, 1.1, 1, 0.6];
/** January first: new accounts after the holidays and before the summer. */
const months = [1.25, 1.1, 1.15, 1.05, 1, 0.9, 0.75, 0.8, 1.1, 1.1, 0.95, 0.7];
/** By the hour in UTC of a team in the east of America. */
const hoursOfDay = [
  0.7, 0.5, 0.35, 0.2, 0.12, 0.08, 0.06, 0.06, 0.08, 0.12, 0.3, 0.6, 1, 1.5, 1.9, 2, 2.1, 2, 1.8,
  1.7, 1.7, 1.6, 1.3, 1,
];

/** The 365 days up to a moment, busier from month to month, with `spans` of campaigns in them. */
export function calendarOf(endMs: number, spans: readonly Span[]): Calendar {
  const startMs = endMs - daysOfYear * dayMs;
  const everyDay = Array.from({ length: daysOfYear }, (_, day) => day);
  const weights = everyDay.map((day) => {
    const at = new Date(startMs + day * dayMs);
    const growth = 0.7 + (0.6 * day) / daysOfYear;
    return (weekdays[at.getUTCDay()] ?? 1) * (months[at.getUTCMonth()] ?? 1) * growth;
  });
  const firstHour = Math.floor(startMs / hourMs) % 24;
  const hourly = hoursOfDay.map((_, hour) => hoursOfDay[(firstHour + hour) % 24] ?? 1);
  const runningByDay = everyDay.map((day) =>
    spans.flatMap(({ fromDay, toDay }, at) => (fromDay <= day && day < toDay ? [at] : [])),
  );
  return {
    startMs,
    endMs,
    days: rising(weights),
    hours: rising(hourly),
    running: runningByDay.flat(),
    firstRunning: beginnings(runningByDay.map(({ length }) => length)),
    runningCount: runningByDay.map(({ length }) => length),
  };
}

/** The sums of what stands before each. */
function beginnings(values: readonly number[]): number[] {
  let total = 0;
  return values.map((value) => {
    total += value;
    return total - value;
  });
}

function rising(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return beginnings(weights).map((before) => before / total);
}
