import { allScopes, withImplied, wideningScopes } from '../../platform/auth/scopes.ts';
import { actors } from '../../app/actors.ts';
import type { Checked } from '../../app/actors.ts';
import { eventTypes } from '../../app/event-catalog.ts';
import { readScopeOf } from '../../webhooks/read-scopes.ts';
import { isScoped } from '../../platform/http/endpoint.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import type { Operation } from '../../operations/operation-type.ts';
import { scopeOfLeaf } from '../../cohorts/definition/scopes.ts';
import { exportKinds } from '../../operations/exports/kinds.ts';
import { personSections } from '../../operations/exports/writing/sections.ts';
import { groupBy } from '../../platform/group-by.ts';
import { code, tableOf } from './table.ts';

/** Tables of docs/authorization.md: which scope opens which function, and which fields it shows. */
export function authorizationTables(
  endpoints: readonly Endpoint[],
  operations: readonly Operation[],
): Record<string, string> {
  return {
    functions: tableOf(['Scope', 'Opens', 'Includes'], functionRows(endpoints)),
    'functions without a scope': tableOf(['Access', 'Opens'], unscopedRows(endpoints)),
    operations: tableOf(
      ['Operation', 'Scopes to run it and to read its results'],
      operations.map(({ kind, scopes }) => [code(kind), listOf(scopes)]),
    ),
    'other data': tableOf(['Data', 'Where', 'Scope'], otherRows(endpoints)),
    actors: tableOf(
      ['Made or changed by', 'Acts', 'Scopes of the call', 'Rights', 'Checked at'],
      actorRows(endpoints, operations),
    ),
    'event data': tableOf(['Scope', 'Event types'], eventRows()),
    'fields with a scope': tableOf(['Field', 'In', 'Scope'], fieldRows(endpoints)),
    'sealed answers': tableOf(
      ['Call', 'Scope'],
      endpoints
        .filter(({ showsSecret }) => showsSecret)
        .map(({ id, scope }) => [code(id), code(scope)]),
    ),
  };
}

function actorRows(endpoints: readonly Endpoint[], operations: readonly Operation[]): string[][] {
  const scopeOf = new Map(endpoints.map(({ id, scope }) => [id, scope]));
  const kinds = new Set(operations.map(({ kind }) => kind));
  return actors.map(({ operations: calls, effect, needs, rights, checked }) => {
    const own = new Set(calls.flatMap((id) => scopeOf.get(id) ?? []));
    const more = needs.map(({ when, scopes }) => {
      if (when === undefined) return listOf(scopes);
      // Other tables of the page have these.
      if (kinds.has(when)) return 'those of the [operation](#operations)';
      if (when.startsWith('list ')) return 'that of the [list](#data-of-other-resources)';
      return `${code(when)}: ${listOf(scopes)}`;
    });
    const scopes = [...new Set([listOf(own), ...more])].join('; ');
    return [listOf(calls), effect, scopes, rights, checkedAt(checked)];
  });
}

const checkedAt = (checked: Checked) =>
  'atTheAct' in checked
    ? `**the act**: ${checked.atTheAct}. Shown by ${checked.shown}`
    : `the call: ${checked.atTheCall}`;

const listOf = (names: Iterable<string>) => [...names].map(code).join(', ');

function functionRows(endpoints: readonly Endpoint[]): string[][] {
  const required = endpoints.map(({ scope }) => scope).filter(isScoped);
  return allScopes(required).map((scope) => {
    const opened = endpoints.filter((endpoint) => endpoint.scope === scope).map(({ id }) => id);
    const implied = withImplied([scope]).filter((one) => one !== scope);
    const opens = opened.length > 0 ? listOf(opened) : unopened(scope);
    return [code(scope), opens, listOf(implied)];
  });
}

const unopened = (scope: string) =>
  wideningScopes.includes(scope) ? 'Fields only, see below' : 'Nothing yet';

const unscoped = {
  open: 'Everybody',
  signed: 'Providers, by their signature',
  session: 'Recipients, by a widget token or a session',
} as const;

function unscopedRows(endpoints: readonly Endpoint[]): string[][] {
  return Object.entries(unscoped).map(([access, who]) => [
    who,
    listOf(endpoints.filter(({ scope }) => scope === access).map(({ id }) => id)),
  ]);
}

function otherRows(endpoints: readonly Endpoint[]): string[][] {
  const includes = new Map<string, string[]>();
  for (const { id, list } of endpoints) {
    for (const [name, scope] of Object.entries(list?.includeScopes ?? {})) {
      const key = `${code(name)} embedded by \`include\`\n${code(scope)}`;
      includes.set(key, [...(includes.get(key) ?? []), id]);
    }
  }
  return [
    ...[...includes].map(([key, ids]) => {
      const [what = '', scope = ''] = key.split('\n');
      return [what, listOf(ids), scope];
    }),
    ...dataRows(
      'Answers to rules of the kinds',
      'Definitions of cohorts, conditions of messages',
      Object.entries(scopeOfLeaf),
    ),
    ...dataRows(
      'Lists',
      'Exports, when they are requested and downloaded',
      Object.entries(exportKinds).map(([kind, { scope }]) => [kind, scope]),
    ),
    ...dataRows(
      'Sections',
      'File about a contact, when it is requested and downloaded',
      personSections.map(({ name, scope }) => [name, scope]),
    ),
  ];
}

/** One row for each scope. */
function dataRows(
  label: string,
  where: string,
  data: readonly (readonly [name: string, scope: string | null])[],
): string[][] {
  return [...groupBy(data, ([, scope]) => scope ?? '')].map(([scope, members]) => [
    `${label} ${listOf(members.map(([name]) => name))}`,
    where,
    scope === '' ? 'none' : code(scope),
  ]);
}

function eventRows(): string[][] {
  const byScope = new Map<string, string[]>();
  for (const type of Object.keys(eventTypes).sort()) {
    const scope = readScopeOf(type) ?? 'none';
    byScope.set(scope, [...(byScope.get(scope) ?? []), type]);
  }
  return [...byScope].sort().map(([scope, types]) => [code(scope), listOf(types)]);
}

const scopeName = /\b(?:partner|batch|ipaas|meta):[a-z_-]+:[a-z]+\b/;

/** Fields whose descriptions name a scope. */
function fieldRows(endpoints: readonly Endpoint[]): string[][] {
  const rows = new Map<string, Set<string>>();
  for (const { id, response, query } of endpoints) {
    for (const { name, description } of [...describedIn(response), ...describedIn(query)]) {
      const scope = scopeName.exec(description)?.[0];
      // A list of scopes is no field with one.
      if (scope === undefined || name.endsWith('_scopes')) continue;
      const key = `${code(name)}\n${code(scope)}`;
      rows.set(key, (rows.get(key) ?? new Set()).add(id));
    }
  }
  return [...rows].map(([key, ids]) => {
    const [name = '', scope = ''] = key.split('\n');
    return [name, listOf(ids), scope];
  });
}

/** Every field at any depth of a schema that has a description. */
function describedIn(schema: unknown): { name: string; description: string }[] {
  if (Array.isArray(schema)) return schema.flatMap(describedIn);
  if (!isNode(schema)) return [];
  const { properties, ...rest } = schema;
  const own = Object.entries(isNode(properties) ? properties : {}).flatMap(([name, field]) => {
    const description = isNode(field) ? field['description'] : undefined;
    const described = typeof description === 'string' ? [{ name, description }] : [];
    return [...described, ...describedIn(field)];
  });
  return [...own, ...Object.values(rest).flatMap(describedIn)];
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
