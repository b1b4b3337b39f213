import { expect, test } from '@jest/globals';
import { createBusiestTeams } from '../../../src/platform/temporal/busiest-teams.ts';

test('the five teams with the most are shown, the first one first', () => {
  const teams = createBusiestTeams();
  for (const [team, count] of Object.entries({ a: 1, b: 7, c: 2, d: 3, e: 4, f: 5 })) {
    for (let at = 0; at < count; at += 1) teams.add(team);
  }
  expect(Object.entries(teams.top())).toEqual([
    ['b', 7],
    ['f', 5],
    ['e', 4],
    ['d', 3],
    ['c', 2],
  ]);
});

test('a thousand teams are counted at most, and the busy ones are kept', () => {
  const teams = createBusiestTeams();
  for (let at = 0; at < 5_000; at += 1) {
    teams.add(`once-${String(at)}`);
    teams.add('often');
  }
  expect(teams.top()['often']).toBe(5_000);
});
