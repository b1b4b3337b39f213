import { randomUUID } from 'node:crypto';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import type { TestDatabase } from '../support/database.ts';
import { makeAnotherYear } from './another-year.ts';

/** The rows of teams in every table, behind the back of the service. */
export interface Rows {
  /** By table; equal when nothing of the team has changed. */
  stateOf(teamId: string): Promise<State>;
  /**
   * Gives another team the same rows with the same ids, in front of those that it copies. What is
   * unique among all teams is changed on the way, so that copying it back makes it what it was.
   */
  copy(from: string, to: string, only?: readonly string[]): Promise<void>;
  remove(teamId: string, only?: readonly string[]): Promise<void>;
  /** Removes what has this id. */
  removeOne(teamId: string, id: string): Promise<void>;
  /** Lets another year lie behind a twin than behind the team whose rows it has. */
  becomeAnother(twin: string, team: string): Promise<void>;
  /** Puts the rows of a team behind all others. */
  moveBehind(teamId: string): Promise<void>;
  /** Does something while all rows of a team are locked. */
  whileLocked<T>(teamId: string, work: () => Promise<T>): Promise<T>;
  /** Gives each of some new teams a copy of a row of this team; returns the ids of the teams. */
  crowd(table: string, of: { teamId: string; id: string }, teams: number): Promise<string[]>;
  /** Takes the rows of a crowd away. */
  disperse(table: string, crowd: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export type State = Readonly<Record<string, { rows: number; digest: string | null }>>;

interface Table {
  name: string;
  /** The column with the owner of a row. */
  owner: string;
  columns: string[];
  /** The column that keeps a row unique among all teams, if one does, and its type. */
  unique: string | null;
  type: string | null;
}

export async function openRows({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>): Promise<Rows> {
  const url = new URL(ownerUrl);
  // Without foreign keys and triggers. For the whole connection: turning it on and off drops plans.
  url.searchParams.set('session_replication_role', 'replica');
  const database = connectDatabase({
    url: url.href,
    maxConnections: 1,
    applicationName: 'tests',
    reusesPlans: true,
    acquireTimeoutMs: 60_000,
    deadlineMs: 60_000,
  });
  const tables = await database.read(
    (sql) => sql<Table[]>`
      select c.relname as name, owner.attname as owner, shared.column as "unique", shared.type,
        (select array_agg(a.attname order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           and a.attgenerated = '' and a.attidentity = '') as columns
      from pg_class c
      join pg_attribute owner on owner.attrelid = c.oid
        and owner.attname = case c.relname when 'teams' then 'id' else 'team_id' end
      left join lateral (
        select a.attname as column, format_type(a.atttypid, null) as type
        from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisunique and a.attidentity = ''
          and format_type(a.atttypid, null) in ('integer', 'text', 'uuid')
          and not exists (
            select from pg_attribute t
            where t.attrelid = c.oid and t.attnum = any(i.indkey) and t.attnum = owner.attnum
          )
        order by type limit 1
      ) shared on true
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition`,
  );
  await install(database, tables);
  const list = (only?: readonly string[]) => (only ? [...only] : null);

  return {
    async stateOf(teamId) {
      const [row] = await database.read(
        (sql) => sql<{ found: State }[]>`select tests.state_of(${teamId}) as found`,
      );
      return row?.found ?? {};
    },
    async copy(from, to, only) {
      await database.read((sql) => sql`select tests.copy(${from}, ${to}, ${list(only)})`);
    },
    async removeOne(teamId, id) {
      await database.read((sql) => sql`select tests.remove_one(${teamId}, ${id})`);
    },
    async moveBehind(teamId) {
      await database.read((sql) => sql`select tests.move_behind(${teamId})`);
    },
    becomeAnother: (twin, team) => makeAnotherYear(database, twin, team),
    async remove(teamId, only) {
      await database.read((sql) => sql`select tests.remove(${teamId}, ${list(only)})`);
    },
    whileLocked: (teamId, work) =>
      database.transact(async (sql) => {
        await sql`select tests.lock(${teamId})`;
        return work();
      }),
    async crowd(table, { teamId, id }, teams) {
      const { columns, unique, type } = tables.find(({ name }) => name === table) ?? nowhere;
      const values = columns.map((column) => {
        if (column === 'team_id') return 'team';
        if (column !== unique) return `"${column}"`;
        return type === 'uuid' ? 'gen_random_uuid()' : `"${column}" || '~' || number`;
      });
      const crowd = Array.from({ length: teams }, () => randomUUID());
      const made = await database.read((sql) =>
        sql.unsafe(
          `insert into "${table}" (${quoted(columns)})
           select ${values.join(', ')}
           from "${table}", unnest($1::uuid[]) with ordinality as strangers (team, number)
           where team_id = $2 and id = $3
           returning 1`,
          [crowd, teamId, id],
        ),
      );
      if (made.length !== teams) throw new Error(`there is no crowd in ${table}`);
      return crowd;
    },
    async disperse(table, crowd) {
      await database.read((sql) =>
        sql.unsafe(`delete from "${table}" where team_id = any($1::uuid[])`, [[...crowd]]),
      );
    },
    close: () => database.close(),
  };
}

const nowhere: Pick<Table, 'columns' | 'unique' | 'type'> = {
  columns: [],
  unique: null,
  type: null,
};
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/** Functions, because Postgres keeps the plans of what is in them: there are many tables. */
async function install(database: Database, tables: readonly Table[]): Promise<void> {
  const states = tables.map(
    ({ name, owner }) => `select '${name}' as name, (
      select jsonb_build_object(
        'rows', count(*), 'digest', md5(string_agg(t::text, ',' order by t::text))
      ) from "${name}" t where ${owner} = team
    ) as state`,
  );
  const moving = ({ name, owner }: Table, team: string) =>
    `update "${name}" set ${owner} = ${owner} where ${owner} = ${team};`;
  const copying = (table: Table) => {
    const { name, owner, columns, unique, type } = table;
    const values = columns.map((column) => {
      if (column === owner) return 'heir';
      return column === unique && type !== null ? changed(column, type) : `"${column}"`;
    });
    // A changed row lies behind those that were there before.
    return `insert into "${name}" (${quoted(columns)})
      select ${values.join(', ')} from "${name}" where ${owner} = team on conflict do nothing;
      ${moving(table, 'team')}`;
  };
  const ifChosen = (name: string, statements: string) =>
    `if chosen is null or '${name}' = any(chosen) then ${statements} end if;`;
  const withIds = tables.filter(({ name, columns }) => columns.includes('id') && name !== 'teams');
  const procedure = (head: string, statements: readonly string[]) => `
    create or replace function tests.${head} returns void language plpgsql as $$
    begin
      ${statements.join('\n')}
    end $$`;
  const definitions = [
    `create schema if not exists tests`,
    `create or replace function tests.state_of(team uuid) returns jsonb language plpgsql as $$
     begin
       return (select jsonb_object_agg(name, state) from (${states.join(' union all ')}) found);
     end $$`,
    procedure(
      'copy(team uuid, heir uuid, chosen text[])',
      tables.map((table) => ifChosen(table.name, copying(table))),
    ),
    procedure(
      'remove(team uuid, chosen text[])',
      tables.map(({ name, owner }) =>
        ifChosen(name, `delete from "${name}" where ${owner} = team;`),
      ),
    ),
    procedure(
      'remove_one(team uuid, wanted uuid)',
      withIds.map(
        ({ name, owner }) => `delete from "${name}" where ${owner} = team and id = wanted;`,
      ),
    ),
    procedure(
      'lock(team uuid)',
      tables.map(({ name, owner }) => `perform from "${name}" where ${owner} = team for update;`),
    ),
    procedure(
      'move_behind(team uuid)',
      tables.map((table) => moving(table, 'team')),
    ),
  ];
  for (const definition of definitions) await database.read((sql) => sql.unsafe(definition));
}

/** Another value of the column, whose own other value is the first. */
function changed(column: string, type: string): string {
  if (type === 'integer') return `1000000 - "${column}"`;
  if (type === 'text') {
    return `case when "${column}" like '~%' then substr("${column}", 2) else '~' || "${column}" end`;
  }
  const digits = `translate(right("${column}"::text, 12), '0123456789abcdef', 'fedcba9876543210')`;
  return `(left("${column}"::text, 24) || ${digits})::uuid`;
}
