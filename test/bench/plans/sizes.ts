import { chown, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { tableOf } from './findings.ts';
import { few, teams } from './statistics.ts';

interface Relation {
  name: string;
  kind: 'r' | 'p' | 'i' | 'I';
  table: string;
  /** Bytes of one row, or of one index entry. */
  width: number;
  /** Condition of a partial index. */
  predicate: string | null;
  path: string | null;
}

const pageBytes = 8_192;
const segmentPages = 131_072;
const days = 90;
const months = 25;

/** Tables whose size follows the installation instead of what teams do. */
const fixed: Readonly<Record<string, number>> = {
  teams,
  clients: 2 * teams,
  client_secrets: 3 * teams,
  file_bytes: teams,
  signing_keys: 3,
  schema_migrations: 30,
  sftp_host_keys: 3,
  schema_functions: 10,
  webhook_lanes: 256,
};
/** Rows of an installation in which a hundred teams have a thousand contacts each. */
const rowsOfTable = 100_000;
const rowsOfLog = 1_000_000;
const rowsOfFew = 1_000;

/** Whether a relation grows with what teams do; partitions of the future have no rows yet. */
export function isGrowing(relation: string): boolean {
  const table = tableOf(relation);
  if (table in fixed || /^pg_|_lanes$/.test(table)) return false;
  return relation === table || isFilled(relation);
}

function isFilled(partition: string): boolean {
  const [, ending = ''] = /_(\d{6}|\d{8}|default)$/.exec(partition) ?? [];
  return ending !== 'default' && ending <= endingOfNow(ending.length);
}

/** Makes the partitions that an installation has after two years. */
export async function makePartitions(sql: Sql): Promise<void> {
  await sql`select ensure_day_partitions(7), ensure_month_partitions(${months}, 2)`;
  await sql.unsafe(`
    do $$
    declare
      parent text;
      start date;
    begin
      for parent in
        select c.relname from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
        where pg_get_partkeydef(c.oid) = 'RANGE (day)'
      loop
        for back in 2..${String(days)} loop
          start := (now() at time zone 'UTC')::date - back;
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            parent || '_' || to_char(start, 'YYYYMMDD'), parent, start, start + 1);
        end loop;
      end loop;
    end $$`);
}

/**
 * Lets tables and indexes look as large as after `scale` times the use: statistics have the rows,
 * and empty pages at the end of each file, which take no room on the disk, the pages.
 */
export async function growTo(sql: Sql, scale: number): Promise<void> {
  const [{ directory }] = await sql<[{ directory: string }]>`
    select current_setting('data_directory') as directory`;
  const relations = await readRelations(sql);
  const sizes = [];
  const shares = await readShares(sql, relations);
  for (const relation of relations) {
    const rows = rowsOf(relation, scale) * (shares.get(relation.name) ?? 1);
    const isIndex = relation.kind === 'i' || relation.kind === 'I';
    const entry = isIndex ? (relation.width + 12) / 0.7 : relation.width + 28;
    const pages = Math.ceil((rows * entry) / pageBytes);
    sizes.push({ name: relation.name, rows, pages });
    if (relation.path !== null) await extendFile(join(directory, relation.path), pages);
  }
  await sql`
    select pg_restore_relation_stats('schemaname', 'public', 'relname', s.name,
      'relpages', s.pages, 'reltuples', s.rows, 'relallvisible', s.pages)
    from jsonb_to_recordset(${JSON.stringify(sizes)}::text::jsonb)
      as s (name text, pages int, rows real)`;
}

async function readRelations(sql: Sql): Promise<Relation[]> {
  return sql<Relation[]>`
    select c.relname as name, c.relkind as kind, coalesce(t.relname, c.relname) as table,
      coalesce((select sum(s.stawidth) from pg_statistic s
        where s.starelid = coalesce(t.oid, c.oid)
          and (x.indkey is null or s.staattnum = any(x.indkey))), 24)::int as width,
      pg_get_expr(x.indpred, x.indrelid) as predicate,
      case when c.relkind in ('r', 'i') then pg_relation_filepath(c.oid) end as path
    from pg_class c
    left join pg_index x on x.indexrelid = c.oid
    left join pg_class t on t.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i', 'I')`;
}

/** Shares of the rows that partial indexes have, as the planner estimates them. */
async function readShares(sql: Sql, relations: readonly Relation[]): Promise<Map<string, number>> {
  const shares = new Map<string, number>();
  const known = new Map<string, number>();
  for (const { name, table, predicate } of relations) {
    if (predicate === null) continue;
    const key = `${tableOf(table)} ${predicate}`;
    const share = known.get(key) ?? (await estimate(sql, table, predicate));
    known.set(key, share);
    shares.set(name, share);
  }
  return shares;
}

async function estimate(sql: Sql, table: string, predicate: string): Promise<number> {
  const rows = async (condition: string) => {
    const [row] = await sql.unsafe(
      `explain (format json) select from "${table}" where ${condition}`,
    );
    return Number(row?.['QUERY PLAN'][0].Plan['Plan Rows']);
  };
  return Math.min(1, (await rows(predicate)) / Math.max(1, await rows('true')));
}

function rowsOf({ table }: Relation, scale: number): number {
  const root = tableOf(table);
  const constant = fixed[root] ?? (root.endsWith('_lanes') ? 16 : undefined);
  if (constant !== undefined) return constant;
  if (few.test(root)) return rowsOfFew * scale;
  if (root === table) return rowsOfTable * scale;
  if (!isFilled(table)) return 0;
  return (rowsOfLog * scale) / (/_\d{8}$/.test(table) ? days + 1 : months + 1);
}

function endingOfNow(length: number): string {
  return new Date().toISOString().replaceAll('-', '').slice(0, length);
}

/** Appends pages without content to the files of a relation. */
async function extendFile(path: string, pages: number): Promise<void> {
  const { uid, gid, size } = await stat(path);
  if (size >= pages * pageBytes) return;
  for (let segment = 0; segment * segmentPages < pages; segment += 1) {
    const bytes = Math.min(pages - segment * segmentPages, segmentPages) * pageBytes;
    const file = await open(segment === 0 ? path : `${path}.${String(segment)}`, 'a+');
    if ((await file.stat()).size < bytes) await file.truncate(bytes);
    await file.close();
    if (segment > 0) await chown(`${path}.${String(segment)}`, uid, gid);
  }
}
