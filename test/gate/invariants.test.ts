import { describe, expect, test } from '@jest/globals';
import { findBreaches, teamTablesOf } from './invariants.ts';

const migrations = [
  'create table teams (\n  id uuid primary key\n);',
  'create table contacts (\n  team_id uuid not null, -- owner\n  id uuid not null\n);',
];

function linesOf(path: string, text: string): number[] {
  return findBreaches([{ path, text }], migrations).map(({ line }) => line);
}

describe('SQL', () => {
  test('outside of queries.ts and the mechanisms is reported', () => {
    const text = 'await 1;\nawait sql`select 1`;\nawait sql<Row[]>`select 2`;\nsql.unsafe(text);';
    expect(linesOf('src/contacts/endpoints.ts', text)).toEqual([2, 3, 4]);
    expect(linesOf('activities/erase.ts', text)).toEqual([2, 3, 4]);
    expect(linesOf('src/contacts/queries.ts', text)).toEqual([]);
    expect(linesOf('src/platform/http/idempotency.ts', text)).toEqual([]);
  });

  test('that is built from declarations without team_id is reported', () => {
    const built = (...statements: string[]) =>
      linesOf('src/platform/resources/table.ts', statements.join(';\n'));
    expect(built('`select * from ${name} where id = $1`', '`delete from ${name}`')).toEqual([1, 2]);
    expect(built('`select * from ${name} where team_id = $1`', '`No such ${noun}.`')).toEqual([]);
  });

  test('on a table of teams without team_id is reported', () => {
    const queries = (...statements: string[]) =>
      linesOf('src/contacts/queries.ts', statements.map((text) => `sql${text}`).join('\n'));
    expect(
      queries(
        '`select * from contacts where id = ${id}`',
        '`update contacts set name = ${teamId}`',
        '`delete from ${sql(table)}`',
        '`with old as (select id from contacts) select * from old`',
        '`select * from contacts where id = ${id} /* of the same team_id */`',
      ),
    ).toEqual([1, 2, 3, 4, 5]);
    expect(
      queries(
        '`select * from contacts where team_id = ${teamId}`',
        '`insert into contacts ${sql({ team_id: teamId, ...row })}`',
        '`select * from contacts /* any team: the relay serves all */`',
        '`insert into contacts ${sql(row)} /* team_id is in the row */`',
        '`select * from teams where id = ${teamId}`',
        '`and name = ${name}`',
        '`select * from contacts where team_id = ${teamId} ${sql`select id from contacts`}`',
      ),
    ).toEqual([]);
  });

  test('tables of teams are those with a column team_id', () => {
    expect([...teamTablesOf(migrations)]).toEqual(['contacts']);
  });
});

describe('Pure rules', () => {
  test('that ask for the present time are reported', () => {
    const text = 'const now = new Date();\nconst then = new Date(0);';
    expect(linesOf('src/contacts/rules.ts', text)).toEqual([1]);
    expect(linesOf('src/contacts/edit.ts', text)).toEqual([]);
  });
});

describe('Times', () => {
  test('that were computed are written by toTimestamp', () => {
    const text = [
      'new Date().toISOString();',
      'new Date(call.nowMs).toISOString();',
      'new Date(nowMs + delayMs).toISOString();',
      'due.toISOString();',
    ].join('\n');
    expect(linesOf('src/journeys/steps.ts', text)).toEqual([3, 4]);
    expect(linesOf('activities/steps.ts', text)).toEqual([3, 4]);
    expect(linesOf('src/platform/time/period.ts', text)).toEqual([]);
    expect(linesOf('src/commands/seed.ts', text)).toEqual([]);
  });
});

describe('Sums of amounts', () => {
  test('are bounded', () => {
    const text = [
      'to_safe_integer(sum(c.value_cents))',
      'to_safe_integer(coalesce(sum(balance_cents) filter (where is_open), 0))',
      'sum(c.value_cents)::bigint',
      'coalesce(sum(balance_cents), 0)',
      'sum(sent)',
    ].join('\n');
    expect(linesOf('src/insights/answers/value.ts', text)).toEqual([3, 4]);
  });
});

describe('The environment', () => {
  test('is read in src/platform/config.ts only', () => {
    const text = 'const port = process.env.PORT;\nconst host = process["env"]["HOST"];';
    expect(linesOf('src/platform/http/listen.ts', text)).toEqual([1, 2]);
    expect(linesOf('workflows/erase.ts', text)).toEqual([1, 2]);
    expect(linesOf('src/platform/config.ts', text)).toEqual([]);
  });
});

describe('The Temporal client', () => {
  test('is used by src/platform/temporal and the roots only', () => {
    const text = "import { Client } from '@temporalio/client';";
    expect(linesOf('src/contacts/endpoints.ts', text)).toEqual([1]);
    expect(linesOf('activities/erase.ts', text)).toEqual([1]);
    expect(linesOf('src/platform/temporal/client.ts', text)).toEqual([]);
    expect(linesOf('src/app/start-worker.ts', text)).toEqual([]);
  });
});

describe('unfinished work', () => {
  test('is reported for every marker', () => {
    const text = ['TO', 'DO\n// FIX', 'ME later\n// done'].join('');
    expect(linesOf('src/platform/observability/log.ts', `// ${text}`)).toEqual([1, 2]);
  });

  test('includes tests that do not run', () => {
    const text = 'test.only("a", f);\ndescribe.skip("b", f);\nxit("c", f);\ntest.each([])("d", f);';
    expect(linesOf('test/contacts.test.ts', text)).toEqual([1, 2, 3]);
  });
});

describe('Tests', () => {
  test('do not wait for time to pass', () => {
    const text =
      'await sleep(5);\nsetTimeout(done, 5);\nimport { setTimeout as pause } from "node:timers/promises";';
    expect(linesOf('test/contacts.test.ts', text)).toEqual([1, 2, 3]);
    expect(linesOf('test/support/eventually.ts', text)).toEqual([]);
    expect(linesOf('src/platform/http/listen.ts', text)).toEqual([]);
  });
});
