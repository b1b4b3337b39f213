import { Type } from 'typebox';
import type { Sql } from '../platform/database/sql.ts';
import { OneOf, Timestamp } from '../platform/schema/fields.ts';
import { bucketStarts, readPeriod, readTimezone } from '../platform/time/period.ts';
import type { Period } from '../platform/time/period.ts';
import { requireTeam } from '../team/queries.ts';
import type { Filters, Insight } from './declaration.ts';
import { setWorkMem } from '../platform/database/planner-settings.ts';
import { toTimestamp } from '../platform/time/rules.ts';

const kinds = { live: 'From rows', rollup: 'From sums', cache: 'Worked out a while ago' } as const;
type Kind = keyof typeof kinds;

/** Where the figures of an answer come from. */
const sourceOf = (...from: Kind[]) =>
  Type.Object({
    kind: OneOf(from, from.map((kind) => `${kind}: ${kinds[kind]}`).join('; ')),
    dataset: Type.String({ description: 'Tables that it was read from, by commas' }),
    query: Type.String({ description: '<name>@<version of its definition>' }),
    window: Type.Object({ start: Timestamp('Inclusive'), end: Timestamp('Exclusive') }),
    timezone: Type.String(),
    bucket: OneOf(['hour', 'day', 'week', 'month']),
    data_through: Timestamp('Time up to which recorded data is included'),
    filters: Type.Record(Type.String(), Type.String()),
    row_count: Type.Integer({ description: 'Length of the longest list or series of the value' }),
    sampled: Type.Boolean(),
  });

/** The source of an answer that is never read from a cache. */
export const FreshSource = sourceOf('live', 'rollup');
const RowsSource = sourceOf('live', 'cache');
const SumsSource = sourceOf('live', 'rollup', 'cache');

/** The answer of every insight. */
export const envelopeOf = ({
  name,
  value,
  definition: description,
  isOfTemplate = false,
  isSummed = false,
}: Insight) =>
  Type.Object(
    {
      name: Type.Literal(name),
      value,
      computed_at: Timestamp(),
      expires_at: Type.Optional(
        Timestamp('Until when it is kept, or may be; absent for live figures'),
      ),
      source: isSummed ? SumsSource : RowsSource,
    },
    {
      title: `${isOfTemplate ? 'template_' : ''}insight_${name.replaceAll('-', '_')}`,
      description,
    },
  );

/** Time for which clients may cache an answer from rollups; it is exact at its computation. */
const keptMs = 300_000;

/** Parameters of an insight; the default is the last 30 days in the time zone of the team. */
export interface InsightQuery {
  period: string | undefined;
  timezone: string | undefined;
  filters: Filters;
}

/** A question as of a moment. */
export interface Moment {
  nowMs: number;
  period: Period;
  filters: Filters;
}

/** Reads a question as of now. Throws 400 `invalid_period` and `invalid_timezone`. */
export async function readInsightQuery(
  sql: Sql,
  teamId: string,
  { period: sent, timezone: zone, filters }: InsightQuery,
): Promise<Moment> {
  const nowMs = Date.now();
  const team = await requireTeam(sql, teamId);
  const period = readPeriod(sent, {
    nowMs,
    timezone: readTimezone(zone, team.timezone),
    teamCreatedMs: Date.parse(team.inserted_at),
  });
  return { nowMs, period, filters };
}

export type InsightAnswer = Awaited<ReturnType<typeof computeInsight>>;

/** Works out an insight from what is there now. */
export async function computeInsight(
  sql: Sql,
  teamId: string,
  one: Insight,
  { nowMs, period, filters }: Moment,
) {
  await setWorkMem(sql);
  const from = { isRollup: false };
  const starts = bucketStarts(period);
  const value = await one.compute({ sql, teamId, period, starts, filters, from });
  const now = new Date(nowMs).toISOString();
  const { start, end, timezone, bucket } = period;
  return {
    name: one.name,
    value,
    computed_at: now,
    ...(from.isRollup && { expires_at: toTimestamp(nowMs + keptMs) }),
    source: {
      kind: from.isRollup ? ('rollup' as const) : ('live' as const),
      dataset: one.datasets.join(','),
      query: `${one.name}@${String(one.version)}`,
      window: { start, end },
      timezone,
      bucket,
      data_through: now,
      filters: shown(filters),
      row_count: Math.max(0, ...Object.values(value).map(lengthOf)),
      sampled: false,
    },
  };
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

const shown = ({ templateIds, cohortId, channel }: Filters) => ({
  ...(templateIds && { template_id: templateIds.join(',') }),
  ...(cohortId !== undefined && { cohort_id: cohortId }),
  ...(channel !== undefined && { channel }),
});
