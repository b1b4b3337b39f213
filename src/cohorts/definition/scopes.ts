import { leavesOf, parseDefinition } from './parse.ts';
import type { Leaf, Rule } from './tree.ts';

/**
 * The read scope that each kind of rule requires. Without it, the author of a rule could infer data
 * that it may not read, value by value.
 */
export const scopeOfLeaf = {
  field: 'partner:contacts:read',
  account: 'partner:contacts:read',
  consent: 'partner:contacts:read',
  topic_consent: 'partner:contacts:read',
  objective: 'partner:objectives:read',
  event: 'partner:engagement:read',
  cohort: 'partner:cohorts:read',
  journey: 'partner:journeys:read',
  random: null,
} as const satisfies Record<Leaf['leaf'], string | null>;

/** The scopes that a rule needs, each once, in the order of its leaves. */
export function scopesOf(rule: Rule): string[] {
  const scopes = leavesOf(rule).flatMap(({ leaf }) => scopeOfLeaf[leaf.leaf] ?? []);
  return [...new Set<string>(scopes)];
}

/** The scopes that a definition needs; none where it cannot be read. */
export function scopesOfDefinition(definition: unknown): string[] {
  const read = parseDefinition(definition);
  return 'rule' in read ? scopesOf(read.rule) : [];
}
