import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { table } from '../../../src/platform/resources/table.ts';
import { ByLocale, Text, Timestamp, resource } from '../../../src/platform/schema/fields.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

// A declaration with every part, on a table of the service.
const Subject = resource('subject', {
  name: Text(80),
  position: Type.Integer(),
  default_consent: Text(20),
  localizations: ByLocale(Type.Object({ name: Text(80) })),
  is_archived: Type.Boolean(),
});
const subjects = table('topics', Subject, {
  derived: { is_archived: 't.archived_at is not null' },
  hidden: { archived_at: Type.Optional(Timestamp()) },
  required: ['name', 'position', 'default_consent'],
  optional: ['localizations'],
  fixed: ['default_consent'],
  unique: { field: 'name', index: 'topics_name', code: 'key_taken' },
  archivedListedBy: ['is_archived'],
});

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());

async function newTeam(): Promise<string> {
  const id = randomUUID();
  await db.look((sql) => sql`insert into teams (id, name) values (${id}, 'Team')`);
  return id;
}

/** Runs some work in a transaction; returns its result and the statements that the table sent. */
async function watch<T>(work: (sql: Sql) => Promise<T>) {
  const texts: string[] = [];
  const result = await db.database.transact((sql) =>
    work(
      new Proxy(sql, {
        get(target, name): unknown {
          const value: unknown = Reflect.get(target, name);
          if (name !== 'unsafe' || typeof value !== 'function') return value;
          return (text: string, ...values: unknown[]): unknown => {
            texts.push(text.replaceAll(/\s+/g, ' ').trim());
            return Reflect.apply(value, target, [text, ...values]);
          };
        },
      }),
    ),
  );
  return { result, texts };
}

const columns =
  't.id, t.team_id, t.name, t.position, t.default_consent, t.localizations, ' +
  't.archived_at is not null as is_archived, t.inserted_at, t.updated_at, t.archived_at, ' +
  `'subject' as type, t.lock_version`;
const first = { name: 'Offers', position: 1, default_consent: 'subscribed' };

test('a table sends one statement for each work on a row, and each names the team', async () => {
  const teamId = await newTeam();
  const { texts } = await watch(async (sql) => {
    const made = await subjects.insert(sql, teamId, { ...first, localizations: {} });
    await subjects.find(sql, teamId, made.id);
    await subjects.require(sql, teamId, made.id);
    await subjects.lock(sql, teamId, made.id);
    await subjects.count(sql, teamId);
    await subjects.update(sql, made, { position: 2, archived_at: null });
    await subjects.remove(sql, teamId, made.id);
  });
  expect(texts).toEqual([
    'with t as (insert into topics (team_id, name, position, default_consent, localizations) ' +
      'values ($1, $2, $3, $4, $5) on conflict do nothing returning *) ' +
      `select ${columns} from t`,
    `select ${columns} from topics t where t.team_id = $1 and t.id = $2 and t.deleted_at is null`,
    `select ${columns} from topics t where t.team_id = $1 and t.id = $2 and t.deleted_at is null`,
    `select ${columns} from topics t where t.team_id = $1 and t.id = $2 and t.deleted_at is null ` +
      'for update of t',
    'select count(*)::int as count from topics t where t.team_id = $1 and t.deleted_at is null',
    'update topics t set position = $3, archived_at = $4, ' +
      'lock_version = t.lock_version + 1, updated_at = now() ' +
      `where t.team_id = $1 and t.id = $2 returning ${columns}`,
    'update topics t set deleted_at = now(), lock_version = t.lock_version + 1, updated_at = now() ' +
      `where t.team_id = $1 and t.id = $2 returning ${columns}`,
  ]);
  for (const text of texts) expect(text).toMatch(/\bteam_id = \$1|\(team_id, /);
  expect(subjects.source(teamId)).toEqual({
    from: 'topics t',
    select: columns,
    where: { text: 't.team_id = $1 and t.deleted_at is null', values: [teamId] },
    defaultHidden: { text: 't.archived_at is not null', unless: ['is_archived'] },
  });
});

test('the row of another team with the same id is neither found nor changed', async () => {
  const [ours, theirs] = [await newTeam(), await newTeam()];
  const { result: made } = await watch((sql) => subjects.insert(sql, ours, first));
  await db.look(
    (sql) => sql`
      insert into topics (team_id, id, name, position, default_consent)
      values (${theirs}, ${made.id}, 'Theirs', 7, 'subscribed')`,
  );
  const { result } = await watch(async (sql) => {
    const changed = await subjects.update(sql, made, { position: 3 });
    await subjects.remove(sql, ours, made.id);
    return { changed, twin: await subjects.require(sql, theirs, made.id) };
  });
  expect(result.changed).toMatchObject({ team_id: ours, position: 3, lock_version: 2 });
  expect(result.twin).toMatchObject({ team_id: theirs, position: 7, lock_version: 1 });
  const work = watch((sql) => subjects.require(sql, ours, made.id));
  await expect(work).rejects.toMatchObject({
    problems: [{ code: 'not_found', detail: 'No such subject.', meta: { resource: 'subject' } }],
  });
});

test('a unique field that is in use is refused with its holder, and the transaction goes on', async () => {
  const teamId = await newTeam();
  const { result } = await watch(async (sql) => {
    const holder = await subjects.insert(sql, teamId, first);
    const other = await subjects.insert(sql, teamId, { ...first, name: 'News' });
    const refused = [
      await subjects.insert(sql, teamId, first).catch((error: unknown) => error),
      await subjects.update(sql, other, { name: 'Offers' }).catch((error: unknown) => error),
    ];
    return { holder, refused, count: await subjects.count(sql, teamId) };
  });
  expect(result.count).toBe(2);
  for (const error of result.refused) {
    expect(error).toMatchObject({
      problems: [
        {
          code: 'key_taken',
          detail: 'Another subject of the team has this name.',
          meta: { pointer: '/name', id: result.holder.id },
        },
      ],
    });
  }
});

test('a change takes written fields alone, and refuses another value of a fixed one', async () => {
  const teamId = await newTeam();
  const { result: row } = await watch((sql) => subjects.insert(sql, teamId, first));
  expect(subjects.change(row, { name: 'News', default_consent: 'subscribed' })).toEqual({
    name: 'News',
    position: 1,
    default_consent: 'subscribed',
    localizations: {},
  });
  expect(() => subjects.change(row, { default_consent: 'unsubscribed' })).toThrow(
    'default_consent cannot be changed; create another subject.',
  );
});

test('a body names no column but those that are declared', async () => {
  const teamId = await newTeam();
  const body = { ...first, type: 'subject' };
  const { result } = await watch((sql) => subjects.insert(sql, teamId, body));
  expect(result.name).toBe('Offers');
  const injected = { ...first, 'name) values (1) --': 1 };
  await expect(watch((sql) => subjects.insert(sql, teamId, injected))).rejects.toThrow(
    'is no column of topics',
  );
});
