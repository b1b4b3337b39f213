import { expect, test } from '@jest/globals';
import { findLimitFaults } from './limits.ts';

const files = [
  {
    path: 'src/team/users/rules.ts',
    text: 'export const maxUsers = 1_000;\nconst limits = { open: { perDay: 5 * 2 } } as const;',
  },
];
const users = '| Users | 1,000 | a team | `src/team/users/rules.ts` `maxUsers` |';
const opened = '| Opened | 10 a day | a team | `src/team/users/rules.ts` `limits.open.perDay` |';

test('a list with the values of the code is accepted', () => {
  expect(findLimitFaults(`${users}\n${opened}`, files)).toEqual([]);
});

test('a value that differs from the code is reported', () => {
  expect(findLimitFaults(users.replace('1,000', '2,000'), files)).toEqual([
    'maxUsers of src/team/users/rules.ts is 1000, and the row says 2000',
  ]);
});

test('a constant that does not exist is reported', () => {
  expect(findLimitFaults(`${users}\n${opened.replace('perDay', 'perYear')}`, files)).toEqual([
    'src/team/users/rules.ts has no number limits.open.perYear',
  ]);
});

test('a limit of a resource without a row is reported', () => {
  expect(findLimitFaults('', files)).toEqual([
    'src/team/users/rules.ts has the limit maxUsers, which has no row',
  ]);
});
