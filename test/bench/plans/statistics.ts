import type { Sql } from '../../../src/platform/database/sql.ts';

interface Column {
  relation: string;
  table: string;
  name: string;
  type: string;
  is_nullable: boolean;
  is_parent: boolean;
}

/** Statistics of a column, in the words of pg_restore_attribute_stats. */
interface ColumnStatistics {
  null_frac: number;
  avg_width: number;
  n_distinct: number;
  most_common_vals?: string;
  most_common_freqs?: string;
  histogram_bounds?: string;
  correlation?: number;
}

export const teams = 100;
/** Tables of what people make by hand, ten of each in a team, and of work that waits to be done. */
export const few = new RegExp(
  '^(templates|messages|cohorts|objectives|pages|content_blocks|users|uploads|exports|audit_seals' +
    '|landing_pages|landing_page_versions|template_(versions|objectives|status_changes)' +
    '|webhook_(subscriptions|subscription_states|secrets|delivery_settings|replays)' +
    '|incoming_webhook_receivers|incoming_webhook_receiver_(states|secrets)|inbound_replays' +
    '|file_sources|file_fetches|sftp_(credentials|uploads)|widget_instances' +
    '|contact_erasures|erased_suppressions|identity_(failures|sources)|objective_rates' +
    '|workflow_outbox|cohort_(changes|arrivals)|message_sends|journey_resyncs|enrollment_scans' +
    '|delivery_rollup_(progress|dirty_hours)|audit_unsealed|(rate|notice)_budgets' +
    '|template_rate_windows|deprecation_notices|insight_cache|inbound_(tokens|proofs))$',
);
/** Values of things that a team makes some of: templates, subscriptions, cohorts, receivers. */
const madeByTeams = 1_000;

/** States in which nearly all rows of a table rest; the others are those of work in progress. */
const resting: Readonly<Record<string, readonly string[]>> = {
  contacts: ['active'],
  accounts: ['open'],
  cohorts: ['ready'],
  exports: ['succeeded'],
  identity_challenges: ['passed'],
  inbound_deliveries: ['processed', 'verified'],
  journeys: ['active', 'completed'],
  landing_pages: ['published'],
  message_deliveries: ['sent', 'delivered'],
  messages: ['active'],
  operation_items: ['created', 'updated'],
  operation_runs: ['succeeded'],
  sftp_uploads: ['succeeded'],
  templates: ['launched'],
  uploads: ['received'],
  users: ['active'],
  webhook_deliveries: ['delivered'],
};

const dayMs = 86_400_000;

/**
 * Gives every column statistics that hold at each size: shares of the rows for what grows, absolute
 * numbers for what does not. Postgres 18 accepts statistics for tables that were never filled.
 */
export async function setColumnStatistics(sql: Sql): Promise<void> {
  const columns = await sql<Column[]>`
    select c.relname as relation, coalesce(p.relname, c.relname) as table, a.attname as name,
      format_type(a.atttypid, null) as type, not a.attnotnull as is_nullable,
      c.relkind = 'p' as is_parent
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
      and not a.attisdropped`;
  const rows = columns.map((column) => ({ ...column, ...statisticsOf(column) }));
  await sql`
    select pg_restore_attribute_stats('schemaname', 'public', 'relname', s.relation,
      'attname', s.name, 'inherited', s.is_parent, 'null_frac', s.null_frac,
      'avg_width', s.avg_width, 'n_distinct', s.n_distinct, 'correlation', s.correlation,
      'most_common_vals', s.most_common_vals, 'most_common_freqs', s.most_common_freqs::real[],
      'histogram_bounds', s.histogram_bounds)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as s (relation text, name text,
      is_parent boolean, null_frac real, avg_width int, n_distinct real, correlation real,
      most_common_vals text, most_common_freqs text, histogram_bounds text)`;
}

function statisticsOf(column: Column): ColumnStatistics {
  const { name, is_nullable: isNullable } = column;
  const base = { null_frac: isNullable ? emptyShareOf(name) : 0, avg_width: widthOf(column) };
  const room = 1 - base.null_frac;
  if (/status$|^state$/.test(name) && column.type === 'text') {
    const states = name === 'email_status' ? ['unknown'] : (resting[column.table] ?? ['completed']);
    const frequencies = states.map(() => (room * 0.9999) / states.length);
    return {
      ...{ ...base, n_distinct: 8 },
      most_common_vals: `{${states.join(',')}}`,
      most_common_freqs: `{${frequencies.join(',')}}`,
    };
  }
  if (column.type === 'boolean') {
    const often = /^(is_active|is_enabled|allow)/.test(name) ? ['t', 'f'] : ['f', 't'];
    return {
      ...{ ...base, n_distinct: 2 },
      most_common_vals: `{${often.join(',')}}`,
      most_common_freqs: `{${String(room * 0.98)},${String(room * 0.02)}}`,
    };
  }
  if (name === 'day') return { ...base, n_distinct: column.is_parent ? 90 : 1, correlation: 1 };
  if (/^timestamp|^date$/.test(column.type)) return { ...base, ...timesOf(name) };
  return { ...base, n_distinct: distinctOf(column) };
}

function emptyShareOf(name: string): number {
  // Set while something waits; nearly all rows wait for nothing any more.
  if (/^next_attempt_at$|^last_replay_id$/.test(name)) return 0.9999;
  return /^(deleted|erased|archived|merged|canceled|voided|failed)_/.test(name) ? 0.99 : 0.3;
}

/** Moments of the past, evenly; of what is due or expires, nearly all lie ahead. */
function timesOf(name: string): Omit<ColumnStatistics, 'null_frac' | 'avg_width'> {
  const isAhead = /expires|expiry|due|until|^next_|retires|deadline|probe_at/.test(name);
  const [from, to] = isAhead ? [-0.01, 30] : [-90, 0];
  const bounds = Array.from({ length: 101 }, (_, at) =>
    new Date(Date.now() + (from + ((to - from) * at) / 100) * dayMs).toISOString(),
  );
  const histogram = `{${bounds.join(',')}}`;
  return { n_distinct: -0.8, histogram_bounds: histogram, correlation: isAhead ? 0 : 0.9 };
}

/** Number of values; negative for a share of the rows. */
function distinctOf({ table, name, type }: Column): number {
  if (name === 'team_id') return few.test(table) ? -0.1 : teams;
  if (name === 'id' || name === 'position' || name === 'token_id') return -1;
  if (type === 'uuid' || (type === 'text' && name.endsWith('_id'))) {
    if (/template|subscription|cohort|receiver|client|widget|product|objective|page/.test(name)) {
      return table.includes(name.replace(/_id$/, '')) && name !== 'subscription_id'
        ? -0.5
        : madeByTeams;
    }
    if (/^(run|operation|export|upload|file|replay)/.test(name)) return -0.001;
    return -0.3;
  }
  if (name === 'shard') return 256;
  if (name === 'lane' || name === 'slot') return 16;
  if (/^(small)?int|^bigint|^numeric/.test(type)) return /sequence|cents/.test(name) ? -0.9 : 50;
  const repeated =
    /kind|type|channel|trigger|source|role|reason|platform|locale|timezone|currency|country/;
  if (type === 'text' && repeated.test(name)) return 12;
  return -0.9;
}

function widthOf({ name, type }: Column): number {
  if (type === 'uuid') return 16;
  if (/^timestamp|^bigint|^double/.test(type)) return 8;
  if (/^(int|date|real)/.test(type)) return 4;
  if (/^(boolean|smallint)/.test(type)) return 2;
  if (/body|definition|html|content/.test(name)) return 700;
  if (/^jsonb?$/.test(type)) return 150;
  return 24;
}
