import { IsLiteral, IsSchema } from 'typebox';
import type { TObject, TProperties, TSchema, TUnsafe } from 'typebox';
import { withJson } from '../database/json-columns.ts';
import type { Writable } from '../database/json-columns.ts';
import { unlessConflict } from '../database/on-conflict.ts';
import type { Sql } from '../database/sql.ts';
import type { ErrorCode } from '../http/error-catalog.ts';
import { immutable, notFound, taken } from '../http/errors.ts';
import type { ListSource } from '../lists/sql.ts';
import { createBody, patchBody, writeFields } from '../schema/fields.ts';
import type { CreateBody, PatchBody, RowOf } from '../schema/fields.ts';

/** A unique index of the fields of a team, regardless of case where it is folded. */
interface Unique {
  field: string;
  index: string;
  isFolded?: boolean;
  /** Code of the 409. */
  code: ErrorCode;
}
/** A row of any table. */
interface Stored {
  id: string;
  team_id: string;
  lock_version: number;
  archived_at?: string | null;
}
/** Columns that the service writes. */
type Managed = 'type' | 'team_id' | 'lock_version' | 'inserted_at' | 'updated_at';
type Given<Columns> = { readonly [Name in keyof Columns]?: Columns[Name] | undefined };

/** A row has the fields of its resource, null where they are absent, and the hidden ones. */
type Row<Fields extends TProperties, Hidden> = RowOf<TObject<Fields>> &
  (Hidden extends TProperties ? Omit<RowOf<TObject<Hidden>>, 'lock_version'> : unknown);

interface Declaration<Fields extends TProperties, Hidden, Derived, Required, Optional> {
  /** SQL of fields that are no columns; the row is `t`. */
  derived?: { readonly [Name in Derived & string]: string };
  /** Columns that rows have and the resource does not show. */
  hidden?: Hidden;
  /** Fields that clients write: those that a new resource needs, and the others. */
  required?: readonly Required[];
  optional?: readonly Optional[];
  /** Written fields that cannot be changed. */
  fixed?: readonly (Required | Optional)[];
  unique?: Unique & { field: Required };
  /** Archived rows are listed only where a filter names one of these fields. */
  archivedListedBy?: readonly (keyof Fields & string)[];
}

type AnyDeclaration = Declaration<TProperties, TProperties, string, string, string>;

/** A team's table of one resource: statements on one row, which name the team and the id. */
export interface Table<Row extends object, Columns, Create, Patch, Required extends keyof Columns> {
  readonly name: string;
  /** Value of `type` of the resource. */
  readonly type: string;
  readonly shape: TObject;
  readonly create: TUnsafe<Create>;
  readonly patch: TUnsafe<Patch>;
  /** Codes that `insert`, `update` and `change` throw. */
  readonly errors: Readonly<Record<'insert' | 'update' | 'change', readonly ErrorCode[]>>;
  /** The fields of a row `t`, for other statements. */
  readonly columns: string;
  source(teamId: string): ListSource;
  find(sql: Sql, teamId: string, id: string): Promise<Row | undefined>;
  /** Throws 404. */
  require(sql: Sql, teamId: string, id: string): Promise<Row>;
  /** Locks the row until the end of the transaction. Throws 404. */
  lock(sql: Sql, teamId: string, id: string): Promise<Row>;
  /** Rows of the team that are not deleted. */
  count(sql: Sql, teamId: string): Promise<number>;
  /** Absent columns have their default. Throws 409 where the unique field is in use. */
  insert(sql: Sql, teamId: string, columns: Pick<Columns, Required> & Given<Columns>): Promise<Row>;
  /** The written fields with the changes of a body. Throws 409 for a fixed one. */
  change(before: Row, body: Patch): Pick<Row, keyof Patch & keyof Row>;
  /** Throws 409 where the unique field is in use. */
  update(sql: Sql, row: { team_id: string; id: string }, columns: Given<Columns>): Promise<Row>;
  remove(sql: Sql, teamId: string, id: string): Promise<Row>;
}

/** The row of a table. */
export type RowIn<Rows extends { require: (...given: never[]) => Promise<unknown> }> = Awaited<
  ReturnType<Rows['require']>
>;

/**
 * Declares the table of a resource, whose columns have the names of its fields. All statements are
 * about one row of one team; any other stands in the queries.ts of the resource.
 */
export function table<
  Fields extends TProperties,
  const Required extends keyof Fields & string = never,
  const Optional extends keyof Fields & string = never,
  const Derived extends keyof Fields & string = never,
  Hidden extends TProperties | undefined = undefined,
>(
  name: string,
  shape: TObject<Fields>,
  declaration: Declaration<Fields, Hidden, Derived, Required, Optional>,
): Table<
  Row<Fields, Hidden>,
  Omit<Row<Fields, Hidden>, Managed | Derived>,
  CreateBody<Fields, Required, Optional>,
  PatchBody<Fields, Required | Optional>,
  Required & keyof Omit<Row<Fields, Hidden>, Managed | Derived>
>;
export function table(name: string, shape: TObject, declaration: AnyDeclaration): unknown {
  const { required = [], optional = [], fixed = [], unique, archivedListedBy } = declaration;
  const written = [...required, ...optional];
  const type = typeOf(shape.properties['type']);
  const columns = columnsOf(name, shape, type, declaration);
  const { selected } = columns;
  const texts = statementsOf(name, selected, unique);

  async function takenBy(sql: Sql, teamId: string, given: object, { field, code }: Unique) {
    const value: unknown = Reflect.get(given, field);
    const [holder] = await run(sql, texts.holder, [teamId, String(value)]);
    return taken(code, type, field, holder);
  }

  const built: Table<Stored, Record<string, unknown>, object, object, never> = {
    name,
    type,
    shape,
    columns: selected,
    create: createBody(shape, required, optional),
    patch: patchBody(shape, written),
    errors: {
      insert: unique ? [unique.code] : [],
      update: unique && !fixed.includes(unique.field) ? [unique.code] : [],
      change: fixed.length > 0 ? ['immutable_field'] : [],
    },
    source: (teamId) => ({
      from: `${name} t`,
      select: selected,
      where: { text: texts.list, values: [teamId] },
      ...(archivedListedBy && {
        defaultHidden: { text: 't.archived_at is not null', unless: archivedListedBy },
      }),
    }),
    async find(sql, teamId, id) {
      const [row] = await run(sql, texts.find, [teamId, id]);
      return row;
    },
    require: (sql, teamId, id) => requireOne(type, sql, texts.find, [teamId, id]),
    lock: (sql, teamId, id) => requireOne(type, sql, texts.lock, [teamId, id]),
    async count(sql, teamId) {
      const [row] = await sql.unsafe<[{ count: number }]>(texts.count, [teamId], { prepare: true });
      return row.count;
    },
    async insert(sql, teamId, given) {
      const entries = entriesOf(columns, sql, given);
      const text = texts.insert(entries.map(([field]) => field));
      const [row] = await run(sql, text, [teamId, ...entries.map(([, value]) => value)]);
      if (row) return row;
      throw unique ? await takenBy(sql, teamId, given, unique) : new Error(`no row in ${name}`);
    },
    change(before, body) {
      for (const field of fixed) {
        const value: unknown = Reflect.get(body, field);
        if (value === undefined || value === Reflect.get(before, field)) continue;
        throw immutable(type, field);
      }
      return writeFields<Record<string, unknown>, string>({ ...before }, { ...body }, written);
    },
    async update(sql, { team_id, id }, given) {
      const entries = entriesOf(columns, sql, given);
      const text = texts.update(entries.map(([field]) => field));
      const write = () =>
        requireOne(type, sql, text, [team_id, id, ...entries.map(([, value]) => value)]);
      if (!unique || fixed.includes(unique.field) || !Reflect.has(given, unique.field))
        return write();
      const row = await unlessConflict(sql, unique.index, write);
      if (row) return row;
      throw await takenBy(sql, team_id, given, unique);
    },
    remove: (sql, teamId, id) => requireOne(type, sql, texts.remove, [teamId, id]),
  };
  return built;
}

interface ColumnsOfTable {
  name: string;
  /** Fields that are columns. */
  names: ReadonlySet<string>;
  /** Those of type jsonb. */
  json: readonly string[];
  /** The fields of a row `t`. */
  selected: string;
}

function columnsOf(
  name: string,
  shape: TObject,
  type: string,
  { derived = {}, hidden = {} }: Pick<AnyDeclaration, 'derived' | 'hidden'>,
): ColumnsOfTable {
  const properties: TProperties = { ...shape.properties, ...hidden };
  const fields = Object.keys(properties);
  return {
    name,
    names: new Set(fields.filter((field) => !derived[field])),
    json: fields.filter((field) => isJson(properties[field])),
    selected: fields
      .filter((field) => field !== 'type')
      .map((field) =>
        derived[field] === undefined ? `t.${field}` : `${derived[field]} as ${field}`,
      )
      .concat(`'${type}' as type`, 't.lock_version')
      .join(', '),
  };
}

function statementsOf(name: string, columns: string, unique: Unique | undefined) {
  const isHeld = unique?.isFolded
    ? `folded(t.${unique.field}) = folded($2)`
    : `t.${unique?.field ?? 'id'} = $2 collate "C"`;
  return {
    find: `select ${columns} from ${name} t where t.team_id = $1 and t.id = $2 and t.deleted_at is null`,
    lock: `select ${columns} from ${name} t where t.team_id = $1 and t.id = $2 and t.deleted_at is null for update of t`,
    count: `select count(*)::int as count from ${name} t where t.team_id = $1 and t.deleted_at is null`,
    holder: `select t.id from ${name} t where t.team_id = $1 and ${isHeld} and t.deleted_at is null`,
    remove: `update ${name} t set deleted_at = now(), lock_version = t.lock_version + 1, updated_at = now() where t.team_id = $1 and t.id = $2 returning ${columns}`,
    list: `t.team_id = $1 and t.deleted_at is null`,
    /** Returns no row where the unique field is in use. */
    insert: (fields: readonly string[]) =>
      `with t as (insert into ${name} (${['team_id', ...fields].join(', ')}) values ($1${fields.map((_, at) => `, $${String(at + 2)}`).join('')})${unique ? ' on conflict do nothing' : ''} returning *) select ${columns} from t`,
    update: (fields: readonly string[]) =>
      `update ${name} t set ${fields.map((field, at) => `${field} = $${String(at + 3)}, `).join('')}lock_version = t.lock_version + 1, updated_at = now() where t.team_id = $1 and t.id = $2 returning ${columns}`,
  };
}

/** Names and values of columns. A name becomes part of the text, so it must be one of these. */
function entriesOf({ name, names, json }: ColumnsOfTable, sql: Sql, given: object) {
  const present = Object.entries(given).filter(
    // A body may repeat the type of its resource.
    ([field, value]: [string, unknown]) => field !== 'type' && value !== undefined,
  );
  const stranger = present.find(([field]) => !names.has(field));
  if (stranger) throw new Error(`${stranger[0]} is no column of ${name}`);
  return Object.entries(withJson(sql, Object.fromEntries(present), json));
}

async function requireOne(
  type: string,
  sql: Sql,
  text: string,
  values: readonly Writable[],
): Promise<Stored> {
  const [row] = await run(sql, text, values);
  if (!row) throw notFound(type);
  return row;
}

const run = (sql: Sql, text: string, values: readonly Writable[]) =>
  sql.unsafe<Stored[]>(text, [...values], { prepare: true });

/** Objects, and lists of them, are in columns of type jsonb; other lists are arrays of Postgres. */
function isJson(schema: TSchema | undefined): boolean {
  if (!schema || !('type' in schema)) return false;
  if (schema.type === 'object') return true;
  return 'items' in schema && IsSchema(schema.items) && isJson(schema.items);
}

function typeOf(schema: TSchema | undefined): string {
  if (schema && IsLiteral(schema)) return String(schema.const);
  throw new Error('the shape of a table is a resource');
}
