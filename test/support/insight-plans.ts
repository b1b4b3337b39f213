import postgres from 'postgres';
import { registerArrayTypes } from '../../src/platform/database/array-types.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { wireTypes } from '../../src/platform/database/wire-types.ts';
import { insights } from '../../src/insights/answers.ts';
import { setWorkMem } from '../../src/platform/database/planner-settings.ts';
import { bucketStarts, readPeriod } from '../../src/platform/time/period.ts';

/** A step of a plan, in the JSON of Postgres. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Subplan Name'?: string;
  'Sort Method'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

export interface PlannedInsight {
  name: string;
  period: string;
  /** Plan of each statement, in order. */
  plans: PlanNode[];
}

interface Requested {
  /** URL of the application's role. */
  url: string;
  teamId: string;
  /** Any of the team's, for the insights of one. */
  templateId: string;
  periods: readonly string[];
  nowMs: number;
  /** Whether the statements run, so that the plan has rows and buffers. */
  isAnalyzed: boolean;
  /** Settings of the session, such as `enable_seqscan=off`. */
  settings?: Readonly<Record<string, string>>;
}

/** The plans of every statement of every insight, as the service sends them. */
export async function planInsights(requested: Requested): Promise<PlannedInsight[]> {
  const { url, teamId, templateId, periods, nowMs, isAnalyzed, settings } = requested;
  let sent: { text: string; values: any[] }[] = [];
  const sql: Sql = postgres(url, {
    ...{ max: 1, fetch_types: false, types: wireTypes, onnotice: () => undefined },
    connection: { TimeZone: 'UTC', ...settings },
    debug: (_connection, text, values) => sent.push({ text, values }),
  });
  registerArrayTypes(sql.options);
  const found: PlannedInsight[] = [];
  try {
    for (const one of insights) {
      for (const name of periods) {
        const context = { nowMs, timezone: 'UTC', teamCreatedMs: nowMs };
        const period = readPeriod(name, context);
        const filters = one.isOfTemplate === true ? { templateIds: [templateId] } : {};
        await sql`begin`;
        await setWorkMem(sql);
        sent = [];
        const starts = bucketStarts(period);
        const from = { isRollup: false };
        await one.compute({ sql, teamId, period, starts, filters, from });
        const plans: PlanNode[] = [];
        const how = isAnalyzed ? 'analyze, buffers, timing off, ' : '';
        for (const { text, values } of sent.slice()) {
          const [row] = await sql.unsafe(`explain (${how}format json) ${text}`, values);
          plans.push(row?.['QUERY PLAN'][0].Plan);
        }
        await sql`rollback`;
        const shown = one.isOfTemplate === true ? `template-${one.name}` : one.name;
        found.push({ name: shown, period: name, plans });
      }
    }
  } finally {
    await sql.end();
  }
  return found;
}

/** A plan as lines; months that are read alike are one line, and values are left out. */
export function linesOf(node: PlanNode, depth = 0): string[] {
  const cond = node['Index Cond']?.replaceAll(/'[^']*'::[a-z]+( with time zone)?/g, '?');
  const about = [
    node['Subplan Name'] === undefined ? '' : `${node['Subplan Name']}: `,
    node['Node Type'],
    node['Relation Name'] === undefined ? '' : ` on ${withoutMonth(node['Relation Name'])}`,
    node['Index Name'] === undefined ? '' : ` by ${withoutMonth(node['Index Name'])}`,
    cond === undefined ? '' : ` ${cond}`,
    node['Sort Method']?.startsWith('external') === true ? ' on disk' : '',
  ].join('');
  const rows = Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1));
  const blocks = (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
  const line = `${'  '.repeat(depth)}${about}`;
  const told =
    node['Actual Rows'] === undefined ? '' : `  rows ${String(rows)}, pages ${String(blocks)}`;
  return [line + told, ...foldMonths(node.Plans ?? [], depth + 1)];
}

/** Partitions that are read in the same way, as one. */
function foldMonths(nodes: readonly PlanNode[], depth: number): string[] {
  const kinds = new Map<string, PlanNode & { months: number }>();
  const shown: (PlanNode & { months: number })[] = [];
  for (const node of nodes) {
    const relation = node['Relation Name'] ?? '';
    const key = `${node['Node Type']} ${withoutMonth(relation)} ${withoutMonth(node['Index Name'] ?? '')}`;
    const known = isMonth(relation) ? kinds.get(key) : undefined;
    if (!known) {
      const first = { ...node, months: 1 };
      kinds.set(key, first);
      shown.push(first);
      continue;
    }
    known.months += 1;
    const rowsOf = (of: PlanNode) => (of['Actual Rows'] ?? 0) * (of['Actual Loops'] ?? 1);
    if (known['Actual Rows'] !== undefined) known['Actual Rows'] = rowsOf(known) + rowsOf(node);
    known['Actual Loops'] = 1;
    known['Shared Hit Blocks'] =
      (known['Shared Hit Blocks'] ?? 0) + (node['Shared Hit Blocks'] ?? 0);
    known['Shared Read Blocks'] =
      (known['Shared Read Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
  }
  return shown.flatMap((node) => {
    const [first = '', ...rest] = linesOf(node, depth);
    return [node.months === 1 ? first : `${first}, ${String(node.months)} months`, ...rest];
  });
}

const isMonth = (relation: string) => /_\d{6}$/.test(relation);
const withoutMonth = (name: string) => name.replace(/_\d{6}(?=_|$)/, '');

/** Every step of a plan. */
export function stepsOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(stepsOf)];
}
