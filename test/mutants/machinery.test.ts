import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runEntry } from '../commands/spawn.ts';
import { environmentNames, required } from '../support/environment.ts';
import { allMutants } from './mutants.ts';
import { findSites, namesOf, tableBuilder, withSwitches } from './sites.mjs';

const path = 'src/engagement/things/queries.ts';
const source = `
  // team_id = \${teamId} in a comment of TypeScript is no predicate
  const shown = 'exists (select from others o where o.team_id = t.team_id)';
  export const listThings = (teamId) => ({ text: 't.team_id = $1::uuid', values: [teamId] });
  export async function findThing(sql, teamId, id) {
    const [row] = await sql\`
      select * from things t join teams on teams.id = t.team_id
      where t.team_id = \${teamId} and id = \${id} /* team_id = \${teamId} is said */\`;
    await sql\`update teams set seen = true where id = \${teamId}\`;
    await sql\`delete from things where (team_id, id) in (select 1, 2)\`;
  }`;

test('a site is every predicate of a statement, in the forms that there are', () => {
  const sites = findSites(path, source);
  expect(sites.map(({ at, end }) => source.slice(at, end))).toEqual([
    'o.team_id = t.team_id',
    't.team_id = $1::uuid',
    'teams.id = t.team_id',
    't.team_id = ${teamId}',
    'id = ${teamId}',
    '(team_id, id) in',
  ]);
  expect(sites.map(({ canSwitch }) => canSwitch)).toEqual([true, true, true, true, true, false]);
  expect(namesOf(path, sites).map((name) => name.slice(path.length + 1))).toEqual([
    ...['shown', 'listThings', 'findThing', 'findThing#2', 'findThing#3', 'findThing#4'],
  ]);
});

test('the marks of a site are comments, around it alone', () => {
  const marked = withSwitches(path, source);
  expect(marked).toContain(
    `where /*<${path} findThing#2>*/t.team_id = \${teamId}/*</${path} findThing#2>*/ and`,
  );
  expect(marked.replaceAll(/\/\*<[^>]*>\*\//g, '')).toBe(source);
});

test('a scope check in a changed form fails the transformation', () => {
  expect(() => withSwitches('src/platform/http/authorize.ts', 'checkScope(endpoint);')).toThrow(
    'is not there once',
  );
});

test('the statements of declared tables have a mutant for each table that uses them', () => {
  const { mutants } = allMutants();
  const ofTopics = mutants.filter(({ name }) => name.endsWith(' of topics'));
  expect(ofTopics.map(({ name }) => name)).toEqual(
    ['find', 'lock', 'count', 'holder', 'remove', 'list', 'update'].map(
      (statement) => `${tableBuilder} ${statement} of topics`,
    ),
  );
  expect(ofTopics[0]?.place).toMatch(/^src\/contacts\/topics\/queries\.ts:\d+$/);
  const marked = withSwitches(tableBuilder, readFileSync(tableBuilder, 'utf8'));
  expect(marked).toContain(`where /*<${tableBuilder} find of \${name}>*/t.team_id = $1/*</`);
});

const settings = Object.fromEntries(
  Object.values(environmentNames).map((name) => [name, required(name)]),
);
const run = (...args: string[]) => runEntry('test/mutants/main.ts', args, settings);

test('a mutant is killed by the cell that it is for; one that no cell notices fails the run', async () => {
  const { code, stdout } = await run(
    ...['--operation', 'getAccount'],
    ...['--only', 'queries.ts findAccount)', '--only', 'scope of listAccounts'],
  );
  expect(stdout).toMatch(
    /killed src\/contacts\/accounts\/queries\.ts:\d+ .* by getAccount: is as /,
  );
  expect(stdout).toContain('Survivors:\n  scope of listAccounts');
  expect(stdout).toMatch(/\n2 mutants, 1 killed, 1 survived, 0 excused\n$/);
  expect(code).toBe(1);
}, 600_000);
