import { Type } from 'typebox';
import type { TObject, TProperties } from 'typebox';
import type { Sql } from '../database/sql.ts';
import { OneOf } from '../schema/fields.ts';
import type { Deprecation } from '../http/deprecation.ts';
import type { Action } from '../http/audited.ts';
import { Answer, endpoint } from '../http/endpoint.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { checkScopes } from '../http/authorize.ts';
import type { ErrorCode } from '../http/error-catalog.ts';
import { pageSizes } from './declaration.ts';
import type { ListDeclaration } from './declaration.ts';
import { linkHeader, listPage } from './list-page.ts';
import { listParameters } from './parameters.ts';
import { parseListQuery } from './parse.ts';
import type { ListSource } from './sql.ts';

/** Related resources that `include` embeds at data[].relationships.<name>. */
export interface Include {
  /** Read scope of the related resource. */
  scope: `${string}:${string}:${string}`;
  /** Schema of one related resource. */
  item: TObject;
  /** A to-many relation shows at most 25; `truncated_relationships` names it if there are more. */
  many: boolean;
  /** Loads what belongs to the rows of a page, keyed by the id of the row, in one statement. */
  load(sql: Sql, teamId: string, rows: readonly ListRow[]): Promise<Map<string, object[]>>;
}

export type ListRow = Readonly<Record<string, unknown>> & { id: string };

/** Related resources that a to-many include shows; loaders fetch one more. */
export const includeLimit = 25;

interface Declaration<Row> extends Omit<ListDeclaration, 'includes'> {
  id: string;
  path: string;
  summary: string;
  /** Sentences about this list alone; those about paging and filters are appended. */
  description: string;
  tag: string;
  scope: `${string}:${string}:${string}`;
  errors?: readonly ErrorCode[];
  keyParams?: readonly string[];
  isLogged?: boolean;
  deprecation?: Deprecation;
  /** Reads of personal data. */
  audit?: { counted: Action };
  item: TObject;
  includes?: Readonly<Record<string, Include>>;
  /** Rows of the list; may first check that the parent in the path exists (404). */
  source(call: ListCall): ListSource | Promise<ListSource>;
  /** Adds what is no column, and leaves out what the caller may not read. */
  present?(row: Row, services: ListCall['services'], principal: ListCall['principal']): Row;
}

type ListCall = Pick<
  Call<Record<string, string>, unknown, unknown>,
  'sql' | 'teamId' | 'principal' | 'params' | 'services'
>;

/** The page object of the interface document. */
const PageObject = Type.Object(
  {
    next_cursor: Type.Union([Type.String(), Type.Null()]),
    prev_cursor: Type.Union([Type.String(), Type.Null()]),
    has_more: Type.Boolean(),
    size: Type.Integer(),
  },
  { title: 'list_page' },
);

const Meta = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    // A constant `true` would be an enum of booleans, which generators of clients cannot compile.
    count_is_lower_bound: Type.Optional(
      Type.Boolean({ description: 'True where there are more; absent where the count is exact' }),
    ),
  },
  { title: 'list_meta' },
);

/** Declares a list under the list conventions of the interface document. */
export function listEndpoint<Row extends ListRow = ListRow>(
  declaration: Declaration<Row>,
): Endpoint {
  const { id, path, summary, tag, scope, item, source } = declaration;
  const includes = new Map(Object.entries(declaration.includes ?? {}));
  const list: ListDeclaration = { ...declaration, includes: [...includes.keys()] };
  return endpoint({
    id,
    method: 'GET',
    path,
    summary,
    description: `${declaration.description} ${describePaging(list)}`,
    tag,
    scope,
    ...(declaration.errors && { errors: declaration.errors }),
    ...(declaration.keyParams && { keyParams: declaration.keyParams }),
    ...(declaration.deprecation && { deprecation: declaration.deprecation }),
    ...(declaration.isLogged !== undefined && { isLogged: declaration.isLogged }),
    rateClass: 'list',
    ...(declaration.audit && { audit: declaration.audit }),
    list: {
      parameters: listParameters(list),
      includeScopes: Object.fromEntries([...includes].map(([name, { scope }]) => [name, scope])),
    },
    response: Type.Object({
      data: Type.Array(withRelationships(item, includes)),
      page: PageObject,
      meta: Type.Optional(Meta),
    }),
    async handle(call) {
      const { sql, teamId, principal, services, request } = call;
      const query = parseListQuery(list, request.search);
      const scopes = query.include.map((name) => includes.get(name)?.scope ?? scope);
      checkScopes(principal, ...scopes);
      const context = { operationId: id, teamId, cursors: services.cursors };
      const page = await listPage<Row>(sql, await source(call), query, context);
      const { present } = declaration;
      const rows = present ? page.data.map((row) => present(row, services, principal)) : page.data;
      const data = await embed(sql, teamId, rows, query.include, includes);
      const link = linkHeader(`${services.config.publicBaseUrl}${request.url}`, page.page);
      return new Answer({ ...page, data }, { headers: link === undefined ? {} : { Link: link } });
    },
  });
}

/** The sentences that every list shares. */
function describePaging(list: ListDeclaration): string {
  const { default: usual, max } = pageSizes(list);
  return (
    `A page holds ${String(usual)} items unless page[size] asks for another number up to ` +
    `${String(max)}; follow page.next_cursor with page[after] until page.has_more is false, with ` +
    'the same sort and filters. A sort or filter by a field that is not listed is refused.'
  );
}

function withRelationships(item: TObject, includes: ReadonlyMap<string, Include>): TObject {
  if (includes.size === 0) return item;
  const relationships: TProperties = {};
  for (const [name, { many, item: related }] of includes) {
    relationships[name] = Type.Optional(
      many ? Type.Array(related, { maxItems: includeLimit }) : Type.Union([related, Type.Null()]),
    );
  }
  const toMany = [...includes].filter(([, { many }]) => many).map(([name]) => name);
  return Type.Object({
    ...item.properties,
    relationships: Type.Optional(Type.Object(relationships)),
    ...(toMany.length > 0 && { truncated_relationships: Type.Optional(truncated(toMany)) }),
  });
}

/** A sibling of `relationships`, in which clients expect only related resources. */
const truncated = (names: readonly string[]) =>
  Type.Array(OneOf([...names]), {
    description: `Relations with more than the ${String(includeLimit)} resources that are shown; absent if there are none`,
  });

async function embed(
  sql: Sql,
  teamId: string,
  rows: readonly ListRow[],
  names: readonly string[],
  includes: ReadonlyMap<string, Include>,
): Promise<object[]> {
  if (names.length === 0 || rows.length === 0) return [...rows];
  const relations = await Promise.all(
    names.map(async (name) => {
      const include = includes.get(name);
      return { name, include, found: await include?.load(sql, teamId, rows) };
    }),
  );
  return rows.map((row) => {
    const relationships: Record<string, unknown> = {};
    const cut: string[] = [];
    for (const { name, include, found } of relations) {
      const related = found?.get(row.id) ?? [];
      relationships[name] = include?.many ? related.slice(0, includeLimit) : (related[0] ?? null);
      if (include?.many && related.length > includeLimit) cut.push(name);
    }
    return { ...row, relationships, ...(cut.length > 0 && { truncated_relationships: cut }) };
  });
}
