import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { changeSchema } from './change-schema.ts';
import type { Database } from './client.ts';
import { SchemaMismatch } from './failures.ts';
import { ensurePartitions } from './maintenance.ts';
import type { Sql } from './sql.ts';
import { scramVerifier } from './scram.ts';

export interface SchemaFile {
  /** `0001-foundation.sql`, or `functions/contacts.sql`. */
  name: string;
  text: string;
  checksum: string;
}

/** The migrations in their order: each is applied once and never changed afterwards. */
export async function readMigrations(): Promise<SchemaFile[]> {
  return readFiles('migrations/', '');
}

/** The functions of the database: a file is applied again whenever its checksum has changed. */
export async function readFunctions(): Promise<SchemaFile[]> {
  return readFiles('functions/', 'functions/');
}

async function readFiles(folder: string, prefix: string): Promise<SchemaFile[]> {
  const directory = new URL(folder, import.meta.url);
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { name: `${prefix}${name}`, text, checksum };
    }),
  );
}

let ofThisVersion: Promise<SchemaFile[]> | undefined;

/** The files do not change while a process runs, so its health checks read them once. */
function schemaFiles(): Promise<SchemaFile[]> {
  ofThisVersion ??= Promise.all([readMigrations(), readFunctions()]).then(
    (lists) => lists.flat(),
    (error: unknown) => {
      ofThisVersion = undefined;
      throw error;
    },
  );
  return ofThisVersion;
}

/**
 * Files of this version that were never applied to the database. A database of a later version
 * lacks none of them: the table has a row for each text that a function file has had.
 */
export async function missingSchemaFiles(sql: Sql): Promise<string[]> {
  const files = await schemaFiles();
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from migrations`;
  const applied = new Set(rows.map(({ name, checksum }) => `${name} ${checksum}`));
  return files
    .filter(({ name, checksum }) => !applied.has(`${name} ${checksum}`))
    .map(({ name }) => name);
}

/**
 * Refuses a database that other migrations have made: one of them has another text here, or is
 * missing here although later ones exist. Those after the last one here are of a later version.
 */
async function checkMigrations(sql: Sql): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));
  const last = [...known.keys()].at(-1) ?? '';
  const applied = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from migrations where name not like 'functions/%' order by name`;
  const others = applied.filter(({ name, checksum }) =>
    known.has(name) ? known.get(name) !== checksum : name < last,
  );
  if (others.length > 0) throw SchemaMismatch.ofOthers(others.map(({ name }) => name));
}

/**
 * Brings a database up to date in one transaction, after a migration that runs elsewhere, and also
 * under load. Then grants the application's role its rights, and makes `login` (name and password) a
 * member of it. Returns the names of the applied files.
 */
export async function migrate(
  database: Database,
  login: { user: string; password: string },
): Promise<string[]> {
  return changeSchema(database, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('onward migrations'))`;
    await createRoles(sql, login);
    await sql`
        create table if not exists migrations (
          name text not null,
          checksum text not null,
          applied_at timestamptz not null,
          primary key (name, checksum)
        )`;
    await checkMigrations(sql);
    const applied = await applyFiles(sql, await readFunctions(), await readMigrations());
    await ensurePartitions(sql);
    await grantRights(sql, login.user);
    return applied;
  });
}

/**
 * Functions come first, since tables need them for triggers, generated columns and indexes. Their
 * bodies are not checked, since they name tables that may not exist yet.
 */
export async function applyFiles(
  sql: Sql,
  functions: readonly SchemaFile[],
  migrations: readonly SchemaFile[],
): Promise<string[]> {
  const rows = await sql<{ name: string; checksum: string }[]>`
    select distinct on (name) name, checksum from migrations order by name, applied_at desc`;
  const latest = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed = functions.filter(({ name, checksum }) => latest.get(name) !== checksum);
  const added = migrations.filter(({ name }) => !latest.has(name));
  await sql`set local check_function_bodies = off`;
  for (const { name, text, checksum } of [...changed, ...added]) {
    await sql.unsafe(text);
    await sql`
      insert into migrations (name, checksum, applied_at)
      values (${name}, ${checksum}, clock_timestamp())
      on conflict (name, checksum) do update set applied_at = excluded.applied_at`;
  }
  return [...changed, ...added].map(({ name }) => name);
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

/** Refuses too many rights, and a schema that is missing or of other migrations, before a process works. */
export async function checkDatabase(sql: Sql): Promise<void> {
  await checkApplicationRole(sql);
  const [found] = await sql<[{ is_missing: boolean }]>`
    select to_regclass('migrations') is null as is_missing`;
  if (found.is_missing) throw SchemaMismatch.missing();
  await checkMigrations(sql);
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
