/** A step of a plan, in the JSON of Postgres. */
export interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Join Type'?: string;
  'Parent Relationship'?: string;
  'Startup Cost': number;
  'Total Cost': number;
  'Plan Rows': number;
  Plans?: Step[];
}

export interface Finding {
  kind: 'scan' | 'sort' | 'cost';
  text: string;
}

/** Rows from which a step on a table that grows counts as reading all of it. */
const manyRows = 20_000;
/** Planner cost that is small in any installation: 250 random pages. */
const smallCost = 1_000;
/** A B-tree becomes one page deeper, and a partition more may be looked at. */
const maxGrowth = 3;
/** Rows that a page of a list needs: the planner assumes a tenth of all for an unknown limit. */
const pageRows = 100;

const holding = ['Sort', 'Incremental Sort', 'Hash', 'Materialize', 'Aggregate', 'WindowAgg'];

/**
 * Finds faults of a statement whose tables grow a hundredfold, by its plan before and after: it
 * reads a growing table from end to end, it sorts or holds rows that grow with the tables, or it
 * costs more although one key or one page is asked for.
 */
export function findFaults(
  small: Step,
  large: Step,
  isGrowing: (relation: string) => boolean,
): Finding[] {
  const found: Finding[] = [];
  const heldBefore = Math.max(...stepsOf(small).map(heldRows));
  for (const step of stepsOf(large)) {
    const type = step['Node Type'];
    const relation = step['Relation Name'] ?? 'pg_class';
    const rows = heldRows(step);
    if (type === 'Seq Scan' && isGrowing(relation)) {
      found.push({ kind: 'scan', text: `reads all of ${tableOf(relation)}` });
    } else if (rows >= manyRows && rows > heldBefore * maxGrowth) {
      found.push({ kind: 'sort', text: `${type} of ${rows.toLocaleString('en')} rows` });
    }
  }
  const [before, after] = [costOf(small), costOf(large)];
  if (after > smallCost && after > before * maxGrowth) {
    const [from, to] = [before, after].map((cost) => Math.round(cost).toLocaleString('en'));
    found.push({ kind: 'cost', text: `cost ${String(from)} → ${String(to)}` });
  }
  return [...new Map(found.map((one) => [one.text, one])).values()];
}

/** Rows that a step takes in before it returns any. */
function heldRows(step: Step): number {
  if (!holding.includes(step['Node Type'])) return 0;
  return Math.max(...(step.Plans ?? []).map((one) => one['Plan Rows']), 0);
}

/** Every step of a plan. */
function stepsOf(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}

/** The cost of a plan whose limits are those of a page, instead of a tenth of all rows. */
function costOf(step: Step): number {
  const children = step.Plans ?? [];
  const isLoop = step['Node Type'] === 'Nested Loop';
  const loops = isLoop ? (children[0]?.['Plan Rows'] ?? 1) : 1;
  const saved = children.map((child, at) => {
    const one = child['Total Cost'] - costOf(child);
    return at === 1 ? one * Math.max(1, loops) : one;
  });
  const cost = step['Total Cost'] - saved.reduce((sum, one) => sum + one, 0);
  const [child] = children;
  if (step['Node Type'] !== 'Limit' || !child) return Math.max(cost, 0);
  const all = costOf(child);
  const start = Math.min(child['Startup Cost'], all);
  return start + (all - start) * Math.min(1, pageRows / Math.max(1, child['Plan Rows']));
}

/** The table of a partition. */
export function tableOf(relation: string): string {
  return relation.replace(/_(\d{6}|\d{8}|default)$/, '');
}
