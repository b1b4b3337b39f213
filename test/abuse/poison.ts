import { randomUUID } from 'node:crypto';
import { beforeAll } from '@jest/globals';
import type { TestApi } from '../support/api.ts';

/** Rows that cannot be written, by triggers that a test makes. */
export function usePoison(api: Pick<TestApi, 'db'>) {
  beforeAll(async () => {
    await api.db.look((sql) => sql`create table poison (scene text, value text)`);
    await api.db.look((sql) =>
      sql.unsafe(`
        create function refuse_poison() returns trigger language plpgsql security definer as $$
        begin
          if exists (select from public.poison where scene = tg_name and value = to_jsonb(new) ->> tg_argv[0]) then
            raise exception 'poisoned' using errcode = 'check_violation';
          end if;
          return new;
        end $$`),
    );
  });
  return {
    /** Lets writes of a table fail whose column has a value; returns how a value is added. */
    async refuse(table: string, column: string, condition = 'true') {
      const name = `poison_${randomUUID().slice(0, 8)}`;
      await api.db.look((sql) =>
        sql.unsafe(`
          create trigger ${name} before insert or update on ${table}
          for each row when (${condition}) execute function refuse_poison('${column}')`),
      );
      return (value: string) =>
        api.db.look((sql) => sql`insert into poison (scene, value) values (${name}, ${value})`);
    },
    /** The rows that a loop leaves out. */
    setAside: (loop: string) =>
      api.db.look<{ team_id: string; row_id: string; reason: string; attempts: number }>(
        (sql) => sql`select * from parked_rows where loop = ${loop}`,
      ),
  };
}
