import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { ensureDatabase } from '../../../src/platform/database/create-database.ts';
import { filling } from './product.ts';

/** As many as our API has; more were no faster on two cores. */
const connections = 8;
/** As long as in our contact of the same scenario. */
const noteBytes = 324;

/** Contacts of the service that calls a product: what it writes down before it publishes. */
export async function openOwnRows(serverUrl: string) {
  const url = await ensureDatabase(serverUrl, 'own_rows');
  const sql = postgres(url, { max: connections, fetch_types: false });
  const team = randomUUID();
  await sql`
    create table contacts (
      team_id uuid not null,
      id uuid not null,
      unique_id text,
      email text,
      first_name text,
      attributes jsonb not null default '{}',
      status text not null default 'active',
      inserted_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (team_id, id),
      unique (team_id, unique_id)
    )`;
  return {
    async insert(mark: string): Promise<void> {
      await sql`
        insert into contacts (team_id, id, email, first_name, attributes)
        values (${team}, gen_random_uuid(), ${`${mark}@example.com`}, 'Robin',
          ${sql.json({ note: filling(noteBytes) })})`;
    },
    close: () => sql.end(),
  };
}
