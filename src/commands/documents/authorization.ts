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
      actorRows(endpoints),
    ),
    'event data': tableOf(['Scope', 'Event types'], eventRows()),
    'fields with a scope': tableOf(['Field', 'In', 'Scope'], fieldRows(endpoints)),
    'sealed answers': tableOf(
      ['Call', 'Scope'],
      endpoints
        .filter(({ showsSecret }) => showsSecret)
        .map(({ id, scope }) => [code(id), code(scope)]),
    ),
    'fields that a call writes': tableOf(['Call', 'Scope', 'Fields'], writtenRows(endpoints)),
  };
}

function actorRows(endpoints: readonly Endpoint[]): string[][] {
  const scopeOf = new Map(endpoints.map(({ id, scope }) => [id, scope]));
  return actors.map(({ operations, effect, needs, rights, checked }) => {
    const own = new Set(operations.flatMap((id) => scopeOf.get(id) ?? []));
    const more = needs.map(({ when, scopes }) =>
      when === undefined ? listOf(scopes) : `${code(when)}: ${listOf(scopes)}`,
    );
    const scopes = [listOf(own), ...more].join('; ');
    return [listOf(operations), effect, scopes, rights, checkedAt(checked)];
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
    ...Object.entries(scopeOfLeaf).map(([leaf, scope]) => [
      `Answers to rules of the kind ${code(leaf)}`,
      'Definitions of cohorts, conditions of messages',
      scope === null ? 'none' : code(scope),
    ]),
    ...Object.entries(exportKinds).map(([kind, { scope }]) => [
      `List ${code(kind)}`,
      'Exports, when they are requested and downloaded',
      code(scope),
    ]),
    ...personSections.map(({ name, scope }) => [
      `Section ${code(name)}`,
      'File about a contact, when it is requested and downloaded',
      code(scope),
    ]),
  ];
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

function writtenRows(endpoints: readonly Endpoint[]): string[][] {
  return endpoints.flatMap(({ id, scope, body }) => {
    const names = [...namesIn(body)];
    return names.length > 0 ? [[code(id), code(scope), listOf(names)]] : [];
  });
}

/** Fields of a body that clients set, of each form that it may have. */
function namesIn(schema: unknown): Set<string> {
  if (!isNode(schema)) return new Set();
  const { properties, anyOf, allOf } = schema;
  const parts = [anyOf, allOf].flatMap((one): unknown[] => (Array.isArray(one) ? one : []));
  const own = Object.entries(isNode(properties) ? properties : {})
    .filter(([name, field]) => name !== 'type' && !(isNode(field) && field['readOnly'] === true))
    .map(([name]) => name);
  return new Set([...own, ...parts.flatMap((part) => [...namesIn(part)])]);
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
