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
  { tag, path, scope }: Resource,
): StandardEndpoints<Stored, object, object> {
  const { name, type, shape } = rows;
  const one = `${path}/{id}` as const;
  const read = { tag, scope: `${scope}:read` } as const;
  const write = { tag, scope: `${scope}:write`, rateClass: 'write' } as const;

  /** Locks the row of a call, or throws 404 or 412. */
  async function lockFor({ sql, teamId, params, checkPrecondition }: OneCall<unknown>) {
    const row = await rows.lock(sql, teamId, params.id);
    checkPrecondition(row);
    return row;
  }

  function archiving(isArchiving: boolean, declaration: Facts & Hole<Stored, Stored>): Endpoint {
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
      response: shape,
      async handle(call) {
        const row = await lockFor(call);
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

  return {
    list: (declaration) =>
      listEndpoint({
        ...declaration,
        ...read,
        id: `list${pascal(name)}`,
        path,
        item: shape,
        source: ({ teamId }) => rows.source(teamId),
      }),

    get: (declaration) =>
      endpoint({
        ...declaration,
        ...read,
        id: `get${pascal(type)}`,
        method: 'GET',
        path: one,
        rateClass: 'read',
        response: shape,
        handle: ({ sql, teamId, params }) => rows.require(sql, teamId, params.id),
      }),

    create: ({ quota, handle, errors = [], ...facts }) =>
      endpoint({
        audit: `${type}.created`,
        ...facts,
        ...write,
        id: `create${pascal(type)}`,
        method: 'POST',
        path,
        errors: ['quota_exceeded', ...rows.errors.insert, ...errors],
        body: rows.create,
        status: 201,
        response: shape,
        location: one,
        async handle(call) {
          const { sql, teamId, body } = call;
          await checkQuota(sql, teamId, { name, limit: quota, count: rows.count });
          return handle ? handle(call) : rows.insert(sql, teamId, body);
        },
      }),

    update: ({ check, handle, errors = [], ...facts }) =>
      endpoint({
        audit: `${type}.updated`,
        ...facts,
        ...write,
        id: `update${pascal(type)}`,
        method: 'PATCH',
        path: one,
        errors: [...rows.errors.change, ...errors, ...rows.errors.update],
        body: rows.patch,
        response: shape,
        async handle(call) {
          const before = await lockFor(call);
          if (handle) return handle(call, before);
          const changes = rows.change(before, call.body);
          await check?.(call, before);
          if (!changedFields(shape, before, { ...before, ...changes })) return before;
          return rows.update(call.sql, before, changes);
        },
      }),

    delete: ({ check, handle, errors, ...facts }) =>
      endpoint({
        audit: `${type}.deleted`,
        ...facts,
        ...write,
        scope: `${scope}:delete`,
        id: `delete${pascal(type)}`,
        method: 'DELETE',
        path: one,
        ...(errors && { errors }),
        async handle(call) {
          const row = await lockFor(call);
          await check?.(call, row);
          await (handle ? handle(call, row) : rows.remove(call.sql, call.teamId, row.id));
          return undefined;
        },
      }),

    archive: (declaration) => archiving(true, declaration),
    unarchive: (declaration) => archiving(false, declaration),
  };
}

/** `content_block` → `ContentBlock`. */
const pascal = (text: string) =>
  text.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
