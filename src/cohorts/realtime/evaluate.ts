import type { Sql } from '../../platform/database/sql.ts';
import { isUnavailable, isRetryable } from '../../platform/database/failures.ts';
import type { Leaf, Rule } from '../definition/tree.ts';
import type { CohortRow } from '../queries.ts';
import { findHolding, findOwnFacts } from './queries.ts';
import type { EvaluatedMembership } from './queries.ts';

/** A cohort with its rule, and the contacts that it is to look at. */
export interface CohortToEvaluate {
  cohort: CohortRow;
  rule: Rule;
  contactIds: readonly string[];
}

/** A cohort whose evaluation fails for every contact. */
export class CohortFault extends Error {
  readonly cohort: CohortRow;
  constructor(cohort: CohortRow, cause: unknown) {
    super('a cohort cannot be evaluated', { cause });
    this.name = 'CohortFault';
    this.cohort = cohort;
  }
}

/** Leaves of one statement: it binds a few values for each. */
const batchSize = 400;

/** A rule whose leaves are places in a list, where equal ones have one place. */
type Tree = number | { op: 'all' | 'any' | 'none'; rules: readonly Tree[] };

/** Evaluated leaves of a contact: true, false, or undefined if not evaluated. */
type Known = (boolean | undefined)[];

/**
 * Evaluates each cohort for its contacts. A leaf that several cohorts share is evaluated once, and
 * the leaves on the contact's own row come first. A leaf on other tables is queried only for
 * contacts whose result still depends on it. Throws CohortFault.
 */
export async function evaluate(
  sql: Sql,
  teamId: string,
  toEvaluate: readonly CohortToEvaluate[],
  asOf: string,
): Promise<EvaluatedMembership[]> {
  const leaves: Leaf[] = [];
  const owners: CohortRow[] = [];
  const places = new Map<string, number>();
  function planted(rule: Rule, cohort: CohortRow): Tree {
    if ('rules' in rule) {
      return { op: rule.op, rules: rule.rules.map((one) => planted(one, cohort)) };
    }
    const key = JSON.stringify(rule);
    const place = places.get(key) ?? leaves.length;
    if (place < leaves.length) return place;
    places.set(key, place);
    leaves.push(rule);
    owners.push(cohort);
    return place;
  }
  const cases = toEvaluate.map((one) => ({ ...one, tree: planted(one.rule, one.cohort) }));
  const contactIds = [...new Set(toEvaluate.flatMap((one) => one.contactIds))];

  const known = new Map<string, Known>();
  const left = new Set<string>();
  const isOwn = leaves.map(asksOwnRow);
  const own = leaves.flatMap((_, place) => (isOwn[place] ? [place] : []));
  // At least once: the rows also show which contacts exist and are not archived.
  for (let from = 0; from === 0 || from < own.length; from += batchSize) {
    const some = own.slice(from, from + batchSize);
    const chosen = some.flatMap((place) => leaves[place] ?? []);
    const rows = await blaming(owners[some[0] ?? 0], () =>
      findOwnFacts(sql, teamId, contactIds, chosen, asOf),
    );
    for (const { id, is_kept: isKept, holds } of rows) {
      if (!isKept) left.add(id);
      const facts = known.get(id) ?? [];
      some.forEach((place, at) => (facts[place] = holds[at]));
      known.set(id, facts);
    }
  }

  const needed = new Map<number, Set<string>>();
  for (const { tree, contactIds: ids } of cases) {
    for (const id of ids) {
      const facts = known.get(id);
      if (!facts || left.has(id)) continue;
      for (const place of undecided(tree, facts)) {
        const askedFor = needed.get(place) ?? new Set();
        needed.set(place, askedFor.add(id));
      }
    }
  }
  // All at once on one connection: they travel together.
  await Promise.all(
    [...needed].map(async ([place, ids]) => {
      const leaf = leaves[place];
      if (!leaf) return;
      const holding = new Set(
        await blaming(owners[place], () => findHolding(sql, teamId, [...ids], leaf, asOf)),
      );
      for (const id of ids) {
        const facts = known.get(id);
        if (facts) facts[place] = holding.has(id);
      }
    }),
  );

  return cases.flatMap(({ cohort, tree, contactIds: ids }) =>
    ids.flatMap((id) => {
      const facts = known.get(id);
      if (!facts) return [];
      const belongs = !left.has(id) && (decided(tree, facts) ?? false);
      return [{ cohort_id: cohort.id, contact_id: id, belongs }];
    }),
  );
}

function asksOwnRow({ leaf }: Leaf): boolean {
  return leaf === 'field' || leaf === 'consent' || leaf === 'random';
}

async function blaming<T>(cohort: CohortRow | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!cohort || isUnavailable(error) || isRetryable(error)) throw error;
    throw new CohortFault(cohort, error);
  }
}

/** Whether a rule is true; undefined while the evaluated leaves do not decide it. */
function decided(tree: Tree, known: Known): boolean | undefined {
  if (typeof tree === 'number') return known[tree];
  // One such result decides over the group.
  const deciding = tree.op !== 'all';
  let isOpen = false;
  for (const rule of tree.rules) {
    const result = decided(rule, known);
    if (result === deciding) return tree.op === 'any';
    isOpen ||= result === undefined;
  }
  return isOpen ? undefined : tree.op !== 'any';
}

/** The leaves that can decide a rule and are not evaluated. */
function undecided(tree: Tree, known: Known): number[] {
  if (decided(tree, known) !== undefined) return [];
  if (typeof tree === 'number') return [tree];
  return tree.rules.flatMap((rule) => undecided(rule, known));
}
