import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Database } from './client.ts';
import type { Sql } from './sql.ts';
import { scramVerifier } from './scram.ts';

const directory = new URL('migrations/', import.meta.url);

export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Name of the newest migration file; a database whose newest is another is not ready. */
export async function newestMigration(): Promise<string> {
  return (await readMigrations()).at(-1)?.name ?? '';
}

export async function appliedMigration(sql: Sql): Promise<string> {
  const [row] = await sql<{ name: string | null }[]>`select max(name) as name from migrations`;
  return row?.name ?? '';
}

/**
 * Brings a database up to date: each file once, in order, in one transaction under a lock that
 * waits for a migration running elsewhere. Then gives the application's role what it may do, and
 * makes `login` (name and password) a member of it. Returns the names of what was applied.
 */
export async function migrate(
  database: Database,
  login: { user: string; password: string },
): Promise<string[]> {
  return database.transact(
    async (sql) => {
      await sql`select pg_advisory_xact_lock(hashtext('onward migrations'))`;
      await createRoles(sql, login);
      await sql`
        create table if not exists migrations (
          name text primary key,
          checksum text not null,
          applied_at timestamptz(3) not null default now()
        )`;
      const done = new Map(
        (
          await sql<{ name: string; checksum: string }[]>`select name, checksum from migrations`
        ).map((row) => [row.name, row.checksum]),
      );
      const applied: string[] = [];
      for (const { name, text, checksum } of await readMigrations()) {
        const known = done.get(name);
        if (known === checksum) continue;
        if (known !== undefined) {
          throw new Error(`${name} was changed after it had been applied; add a new migration`);
        }
        await sql.unsafe(text);
        await sql`insert into migrations (name, checksum) values (${name}, ${checksum})`;
        applied.push(name);
      }
      await sql`select ensure_day_partitions()`;
      await grantRights(sql, login.user);
      return applied;
    },
    { deadlineMs: 600_000 },
  );
}

/** Roles are shared by all databases of a server, so each step tolerates what exists. */
async function createRoles(sql: Sql, { user, password }: { user: string; password: string }) {
  await sql`select pg_advisory_xact_lock(hashtext('onward roles'))`;
  const names = ['onward_app', user];
  const existing = await sql<{ rolname: string; rolsuper: boolean }[]>`
    select rolname, rolsuper from pg_roles where rolname = any(${names})`;
  const has = (name: string) => existing.some((role) => role.rolname === name);
  if (existing.some((role) => role.rolname === user && role.rolsuper)) {
    throw new Error(
      `The application must not connect as the superuser ${user}: give DATABASE_URL a role of its own.`,
    );
  }
  if (!has('onward_app')) await sql`create role onward_app nologin`;
  if (!has(user)) await sql.unsafe(`create role ${identifier(user)}`);
  const verifier = scramVerifier(password);
  await sql.unsafe(`alter role ${identifier(user)} login password '${verifier}'`);
  await sql`grant onward_app to ${sql(user)}`;
}

async function grantRights(sql: Sql, user: string) {
  await sql`grant usage on schema public to onward_app`;
  await sql`grant select, insert, update, delete on all tables in schema public to onward_app`;
  await sql`grant usage on all sequences in schema public to onward_app`;
  await sql`revoke all on migrations from onward_app`;
  await sql`grant select on migrations to onward_app`;
  const [database] = await sql<{ name: string }[]>`select current_database() as name`;
  if (database) await sql`grant connect on database ${sql(database.name)} to ${sql(user)}`;
  const appendOnly = await sql<{ relname: string }[]>`
    select c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and obj_description(c.oid, 'pg_class') like 'append-only%'
    union all
    select child.relname from pg_inherits i
    join pg_class child on child.oid = i.inhrelid
    where obj_description(i.inhparent, 'pg_class') like 'append-only%'`;
  for (const { relname } of appendOnly) {
    await sql`revoke update, delete, truncate on ${sql(relname)} from onward_app`;
  }
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Refuses to run as more than the application: a superuser, an owner of tables, or a role that can
 * change the append-only ones. ADR 21.
 */
export async function checkApplicationRole(sql: Sql): Promise<void> {
  const [role] = await sql<{ name: string; does_too_much: boolean }[]>`
    select current_user as name,
      r.rolsuper or r.rolbypassrls or exists (
        select from pg_class c
        where c.relnamespace = 'public'::regnamespace and (
          pg_has_role(current_user, c.relowner, 'usage')
          or obj_description(c.oid, 'pg_class') like 'append-only%'
          and has_table_privilege(current_user, c.oid, 'update, delete, truncate')
        )
      ) as does_too_much
    from pg_roles r where r.rolname = current_user`;
  if (role?.does_too_much) {
    throw new Error(
      `The database role "${role.name}" may do too much (superuser, owner of tables, or able to ` +
        'change append-only ones). Run ' +
        '`npm run migrate` with DATABASE_OWNER_URL once, and give DATABASE_URL the role it makes.',
    );
  }
}
