import type { TestDatabase } from './database.ts';

/**
 * Refuses new rows of a table as a conflict of transactions, so that work on them stays open: such
 * faults pass, and work is never given up for them. Resolves to a function that ends it.
 */
export async function refuseInPassing(
  { look }: Pick<TestDatabase, 'look'>,
  table: string,
): Promise<() => Promise<void>> {
  await look((sql) =>
    sql.unsafe(`
      create or replace function refuse_in_passing() returns trigger language plpgsql as $$
      begin
        raise exception 'refused in passing' using errcode = 'serialization_failure';
      end $$`),
  );
  await look((sql) =>
    sql.unsafe(`
      create trigger refuse_in_passing before insert on ${table}
      for each statement execute function refuse_in_passing()`),
  );
  return async () => {
    await look((sql) => sql.unsafe(`drop trigger refuse_in_passing on ${table}`));
  };
}

/** From now on the database refuses to complete a replay. */
export async function refuseCompletion(
  { look }: Pick<TestDatabase, 'look'>,
  table: 'inbound_replays' | 'webhook_replays',
): Promise<void> {
  await look(
    (sql) => sql`
      create function refuse_completion() returns trigger language plpgsql as $$ begin
        if new.status = 'completed' then raise exception 'no'; end if;
        return new;
      end $$`,
  );
  await look((sql) =>
    sql.unsafe(
      `create trigger refuse_completion before update on ${table}
       for each row execute function refuse_completion()`,
    ),
  );
}
