import type { TestDatabase } from '../support/database.ts';

/** The rows of teams in every table, behind the back of the service. */
export interface Rows {
  /** Equal when nothing of the team has changed. */
  digestOf(teamId: string): Promise<unknown>;
  /** Gives another team the same rows with the same ids, in front of those that it copies. */
  copy(from: string, to: string): Promise<void>;
  remove(teamId: string): Promise<void>;
}

export async function openRows(db: TestDatabase): Promise<Rows> {
  const tables = await db.look(
    (sql) => sql<{ name: string; columns: string }[]>`
      select c.table_name as name,
        (select string_agg(quote_ident(o.column_name), ', ' order by o.ordinal_position)
         from information_schema.columns o
         where o.table_schema = 'public' and o.table_name = c.table_name
           and o.is_generated = 'NEVER') as columns
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'team_id'
        and t.table_type = 'BASE TABLE'
        and not exists (
          select from pg_inherits where inhrelid = to_regclass(quote_ident(c.table_name))
        )`,
  );
  /** One transaction without foreign keys and triggers. */
  const runAll = (statements: readonly string[]) =>
    db.look((sql) =>
      sql.unsafe(
        `do $$ begin
          perform set_config('session_replication_role', 'replica', true);
          ${statements.join(';\n')};
        end $$`,
      ),
    );
  return {
    async digestOf(teamId) {
      const digests = tables.map(
        ({ name }) => `select '${name}' as name,
          (select md5(string_agg(t::text, ',' order by t::text))
           from "${name}" t where team_id = '${teamId}') as digest`,
      );
      const [row] = await db.look(
        (sql) => sql<{ found: unknown }[]>`
          select jsonb_object_agg(name, digest) as found
          from (${sql.unsafe(digests.join(' union all '))}) tables`,
      );
      return row?.found;
    },
    async copy(from, to) {
      await runAll(
        tables.flatMap(({ name, columns }) => {
          const values = columns.replace(/\bteam_id\b/, `'${to}'`);
          return [
            `insert into "${name}" (${columns}) overriding system value
             select ${values} from "${name}" where team_id = '${from}' on conflict do nothing`,
            // A changed row lies behind those that were there before.
            `update "${name}" set team_id = team_id where team_id = '${from}'`,
          ];
        }),
      );
    },
    async remove(teamId) {
      await runAll(tables.map(({ name }) => `delete from "${name}" where team_id = '${teamId}'`));
    },
  };
}
