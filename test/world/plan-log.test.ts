import { expect, test } from '@jest/globals';
import { findWasteful } from './plan-log.ts';

const entry = (
  ms: number,
  statement: string,
  pairs: number,
) => `2026-01-01 LOG:  duration: ${String(ms)} ms  plan:
	Query Text: 
    ${statement}
	Query Parameters: $1 = '{1}'
	Nested Loop  (cost=0.00..1.00 rows=1 width=4) (actual rows=1.00 loops=1)
	  Rows Removed by Join Filter: ${String(pairs)}
`;

test('statements that compared many rows without a match are found, the slowest first', () => {
  const log = [
    entry(2, 'select 1', 5_000),
    entry(30, 'select 2\n      from contacts', 1_000),
    entry(4.5, 'select 1', 7_000),
    entry(90, 'select 3', 999),
  ].join('');
  expect(findWasteful(log)).toEqual([
    { statement: 'select 2 from contacts', plans: 1, ms: 30, pairs: 1_000 },
    { statement: 'select 1', plans: 2, ms: 6.5, pairs: 7_000 },
  ]);
});
