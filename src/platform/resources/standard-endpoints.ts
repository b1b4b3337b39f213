import type { TObject, TUnsafe } from 'typebox';
import type { Sql } from '../database/sql.ts';
import { changedFields } from '../events/record.ts';
import type { Action } from '../http/audited.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import type { EndpointFacts } from '../http/endpoint-facts.ts';
import type { ErrorCode } from '../http/error-catalog.ts';
import { actionNotAllowed } from '../http/errors.ts';
import { listEndpoint } from '../lists/list-endpoint.ts';
import type { ListDeclaration } from '../lists/declaration.ts';
import type { ListSource } from '../lists/sql.ts';
import { checkQuota } from './quota.ts';

interface Resource {
  tag: string;
  /** Path of the list. */
  path: string;
  /** Scope without its verb, as `partner:topics`. */
  scope: `${string}:${string}`;
}

type Texts = Pick<EndpointFacts, 'summary' | 'description'>;
/** Facts of the operation that do not follow from its table. */
type Facts = Texts &
  Pick<EndpointFacts, 'errors' | 'bodyExample' | 'bodyLimitBytes' | 'demands'> & { audit?: Action };
/** Reads of personal data are counted. */
type ReadFacts = Texts & { audit?: { counted: Action } };
type OneCall<Body = undefined> = Call<{ id: string }, undefined, Body>;

/** The one part that an operation may have of its own; the row is locked. */
type Hole<Row, Result, Body = undefined> =
  | {
      /** Runs before the change, and throws where it is refused. */
      check?(call: OneCall<Body>, row: Row): void | Promise<void>;
      handle?: undefined;
    }
  | {
      /** Makes the change instead of the table. */
      handle?(call: OneCall<Body>, row: Row): Promise<Result>;
      check?: undefined;
    };

/** The table of the resource; any function of it may be another one. */
interface Rows<Row, Create, Patch, Columns = never> {
  name: string;
  type: string;
  shape: TObject;
  create: TUnsafe<Create>;
  patch: TUnsafe<Patch>;
  errors: Readonly<Record<'insert' | 'update' | 'change', readonly ErrorCode[]>>;
  source(teamId: string): ListSource;
  require(sql: Sql, teamId: string, id: string): Promise<Row>;
  lock(sql: Sql, teamId: string, id: string): Promise<Row>;
  count(sql: Sql, teamId: string): Promise<number>;
  insert(sql: Sql, teamId: string, columns: Columns): Promise<NoInfer<Row>>;
  change(before: NoInfer<Row>, body: NoInfer<Patch>): object;
  update(sql: Sql, row: NoInfer<Row>, columns: object): Promise<NoInfer<Row>>;
  remove(sql: Sql, teamId: string, id: string): Promise<unknown>;
}

/** The operations that most resources have. Each is an endpoint like any other. */
interface StandardEndpoints<Row, Create, Patch> {
  list(
    declaration: ReadFacts & Pick<ListDeclaration, 'fields' | 'defaultSort' | 'maxPageSize'>,
  ): Endpoint;
  get(declaration: ReadFacts): Endpoint;
  create(
    declaration: Facts & {
      /** Rows that a team may have. */
      quota: number;
      /** Inserts the row, where it is more than the fields of the body. */
      handle?(call: Call<unknown, undefined, Create>): Promise<Row>;
    },
  ): Endpoint;
  update(declaration: Facts & Hole<Row, Row, Patch>): Endpoint;
  delete(declaration: Facts & Hole<Row, unknown>): Endpoint;
  archive(declaration: Facts & Hole<Row, Row>): Endpoint;
  unarchive(declaration: Facts & Hole<Row, Row>): Endpoint;
}

type Stored = { id: string; team_id: string; lock_version: number; archived_at?: string | null };

/** Declares the standard operations of a resource, which need no code unless they differ. */
export function standardEndpoints<Row extends Stored, Create, Patch>(
  rows: Rows<Row, Create, Patch>,
  resource: Resource,
): StandardEndpoints<Row, Create, Patch>;
export function standardEndpoints(
  rows: Rows<Stored, object, object, object>,
  resource: Resource,
): Standard {
  const declared = declare(rows, resource);
  return {
    list: (declaration) => listOf(declared, declaration),
    get: (declaration) => getOf(declared, declaration),
    create: (declaration) => createOf(declared, declaration),
    update: (declaration) => updateOf(declared, declaration),
    delete: (declaration) => deleteOf(declared, declaration),
    archive: (declaration) => archivingOf(declared, true, declaration),
    unarchive: (declaration) => archivingOf(declared, false, declaration),
  };
}

type Standard = StandardEndpoints<Stored, object, object>;
type Declared = ReturnType<typeof declare>;

/** The resource, and facts that its operations share. */
function declare(rows: Rows<Stored, object, object, object>, { tag, path, scope }: Resource) {
  return {
    ...{ rows, path, scope },
    one: `${path}/{id}` as const,
    read: { tag, scope: `${scope}:read` } as const,
    write: { tag, scope: `${scope}:write`, rateClass: 'write' } as const,
  };
}

function listOf(
  { rows, path, read }: Declared,
  declaration: Parameters<Standard['list']>[0],
): Endpoint {
  return listEndpoint({
    ...declaration,
    ...read,
    id: `list${pascal(rows.name)}`,
    path,
    item: rows.shape,
    source: ({ teamId }) => rows.source(teamId),
  });
}

function getOf(
  { rows, one, read }: Declared,
  declaration: Parameters<Standard['get']>[0],
): Endpoint {
  return endpoint({
    ...declaration,
    ...read,
    id: `get${pascal(rows.type)}`,
    method: 'GET',
    path: one,
    rateClass: 'read',
    response: rows.shape,
    handle: ({ sql, teamId, params }) => rows.require(sql, teamId, params.id),
  });
}

function createOf(
  { rows, path, one, write }: Declared,
  { quota, handle, errors = [], ...facts }: Parameters<Standard['create']>[0],
): Endpoint {
  return endpoint({
    audit: `${rows.type}.created`,
    ...facts,
    ...write,
    id: `create${pascal(rows.type)}`,
    method: 'POST',
    path,
    errors: ['quota_exceeded', ...rows.errors.insert, ...errors],
    body: rows.create,
    status: 201,
    response: rows.shape,
    location: one,
    async handle(call) {
      const { sql, teamId, body } = call;
      await checkQuota(sql, teamId, { name: rows.name, limit: quota, count: rows.count });
      return handle ? handle(call) : rows.insert(sql, teamId, body);
    },
  });
}

function updateOf(
  { rows, one, write }: Declared,
  { check, handle, errors = [], ...facts }: Parameters<Standard['update']>[0],
): Endpoint {
  return endpoint({
    audit: `${rows.type}.updated`,
    ...facts,
    ...write,
    id: `update${pascal(rows.type)}`,
    method: 'PATCH',
    path: one,
    errors: [...rows.errors.change, ...errors, ...rows.errors.update],
    body: rows.patch,
    response: rows.shape,
    async handle(call) {
      const before = await lockFor(rows, call);
      if (handle) return handle(call, before);
      const changes = rows.change(before, call.body);
      await check?.(call, before);
      if (!changedFields(rows.shape, before, { ...before, ...changes })) return before;
      return rows.update(call.sql, before, changes);
    },
  });
}

function deleteOf(
  { rows, scope, one, write }: Declared,
  { check, handle, errors, ...facts }: Parameters<Standard['delete']>[0],
): Endpoint {
  return endpoint({
    audit: `${rows.type}.deleted`,
    ...facts,
    ...write,
    scope: `${scope}:delete`,
    id: `delete${pascal(rows.type)}`,
    method: 'DELETE',
    path: one,
    ...(errors && { errors }),
    async handle(call) {
      const row = await lockFor(rows, call);
      await check?.(call, row);
      await (handle ? handle(call, row) : rows.remove(call.sql, call.teamId, row.id));
      return undefined;
    },
  });
}

function archivingOf(
  { rows, one, write }: Declared,
  isArchiving: boolean,
  declaration: Facts & Hole<Stored, Stored>,
): Endpoint {
  const { type } = rows;
  const { check, handle, errors = [], ...facts } = declaration;
  const action = isArchiving ? 'archive' : 'unarchive';
  return endpoint({
    audit: `${type}.${action}d`,
    ...facts,
    ...write,
    rateClass: 'execute',
    id: `${action}${pascal(type)}`,
    method: 'POST',
    path: `${one}/${action}`,
    errors: ['invalid_state_transition', ...errors, 'precondition_failed'],
    response: rows.shape,
    async handle(call) {
      const row = await lockFor(rows, call);
      const isArchived = row.archived_at != null;
      if (isArchived === isArchiving) {
        throw actionNotAllowed(type, {
          state: isArchived ? 'archived' : 'active',
          action,
          allowed: [isArchived ? 'unarchive' : 'archive'],
        });
      }
      if (handle) return handle(call, row);
      await check?.(call, row);
      const archived_at = isArchiving ? new Date().toISOString() : null;
      return rows.update(call.sql, row, { archived_at });
    },
  });
}

/** Locks the row of a call, or throws 404 or 412. */
async function lockFor(
  rows: Pick<Rows<Stored, object, object>, 'lock'>,
  { sql, teamId, params, checkPrecondition }: OneCall<unknown>,
) {
  const row = await rows.lock(sql, teamId, params.id);
  checkPrecondition(row);
  return row;
}

/** `content_block` → `ContentBlock`. */
const pascal = (text: string) =>
  text.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
