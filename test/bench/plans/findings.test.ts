import { expect, test } from '@jest/globals';
import { findFaults } from './findings.ts';
import type { Step } from './findings.ts';
import { isGrowing } from './sizes.ts';
import { shapeOf } from './statements.ts';

const step = (type: string, cost: number, rows: number, more: Partial<Step> = {}): Step => ({
  ...{ 'Node Type': type, 'Startup Cost': 0, 'Total Cost': cost, 'Plan Rows': rows },
  ...more,
});
const kinds = (small: Step, large: Step) =>
  findFaults(small, large, isGrowing).map(({ kind }) => kind);

test('a statement that costs the same at each size has no findings', () => {
  const plan = step('Index Scan', 8, 1, { 'Relation Name': 'contacts' });
  expect(kinds(plan, { ...plan, 'Total Cost': 12 })).toEqual([]);
});

test('a scan of a partition of a growing table is found, and one of a fixed table is not', () => {
  const scan = (table: string) => step('Seq Scan', 8, 1, { 'Relation Name': table });
  expect(kinds(scan('webhook_events_20260101'), scan('webhook_events_20260101'))).toEqual(['scan']);
  expect(kinds(scan('teams'), scan('teams'))).toEqual([]);
});

test('a sort of many rows below a limit is found, with its cost', () => {
  const sorted = (rows: number) =>
    step('Limit', rows, 10, {
      Plans: [
        step('Sort', rows, rows, { 'Startup Cost': rows, Plans: [step('Index Scan', rows, rows)] }),
      ],
    });
  expect(kinds(sorted(1_000), sorted(100_000))).toEqual(['sort', 'cost']);
});

test('a page of an index in its order costs what a page costs', () => {
  const page = (rows: number) =>
    step('Limit', rows / 10, rows / 10, { Plans: [step('Index Scan', rows, rows)] });
  expect(kinds(page(1_000), page(100_000))).toEqual([]);
});

test('statements that differ in their values have one shape', () => {
  expect(shapeOf("select  a from t where day = '2026-01-01' and b in ($1,$2,$3) limit 10")).toBe(
    shapeOf("select a from t\n where day = '2026-01-02' and b in ($1) limit 5"),
  );
});
