import { randomUUID } from 'node:crypto';
import { endpoints } from '../../src/app/endpoints.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { bodySchema, fieldsOf, isJson, valueOf } from './json-schema.ts';
import type { Json } from './json-schema.ts';
import { foreignIds, operations, places, references, texts } from './recipes.ts';
import { create } from './recipes/recipe.ts';
import type { Make, Owner, Params } from './recipes/recipe.ts';

/** A request that an endpoint takes. */
export interface Sample {
  params: Params;
  path: string;
  body: Json | undefined;
  /** An Idempotency-Key where one is required. */
  headers: Record<string, string>;
}

/** Makes a request that the endpoint takes: a fresh resource for each id, and a minimal body. */
export async function sampleOf(team: Owner, endpoint: Endpoint, last?: Make): Promise<Sample> {
  const params = await paramsOf(team, endpoint, last);
  const needsKey = endpoint.needsKey ?? endpoint.demands?.(params)?.needsKey ?? false;
  return {
    params,
    path: pathOf(endpoint, params),
    body: await bodyOf(team, endpoint, params),
    headers: needsKey ? { 'Idempotency-Key': randomUUID() } : {},
  };
}

/** The ids of a path; `last` makes what the last of them names. */
export async function paramsOf(team: Owner, endpoint: Endpoint, last?: Make): Promise<Params> {
  const params: Record<string, string> = {};
  for (const { name, prefix, isText } of positionsOf(endpoint)) {
    if (isText) params[name] = texts[name] ?? 'text';
    else params[name] = await makerOf(endpoint, prefix, last)(team, params);
  }
  return params;
}

/** Makes something that a GET shows besides what its path names: what is in a list, most often. */
export async function makeShown(team: Owner, { id, path, list }: Endpoint, params: Params) {
  const { shown } = operations[id] ?? {};
  if (shown) return shown(team, params);
  if (!list) return undefined;
  const prefix = idPrefixes.find((place) => parentOf(place) === path);
  return prefix === undefined ? undefined : makerOfPlace(prefix)?.(team, params);
}

const parentOf = (prefix: string) => prefix.replace(/\/\{\w+\}$/, '');

/** The recipe of a resource; without one, the endpoint that creates it, with a minimal body. */
function makerOfPlace(prefix: string): Make | undefined {
  const path = parentOf(prefix);
  const creator = endpoints.find((other) => other.method === 'POST' && other.path === path);
  const createMinimal: Make | undefined =
    creator &&
    (async (team, params) =>
      create(team, pathOf(creator, params), await bodyOf(team, creator, params)));
  return places[prefix] ?? createMinimal;
}

function makerOf(endpoint: Endpoint, prefix: string, requested?: Make): Make {
  const last = positionsOf(endpoint).findLast(({ isText }) => !isText);
  const isLast = last?.prefix === prefix;
  const make =
    (isLast ? (requested ?? operations[endpoint.id]?.target) : undefined) ?? makerOfPlace(prefix);
  if (!make) throw new Error(`${endpoint.id}: nothing says how ${prefix} comes to exist`);
  return make;
}

export interface Position {
  name: string;
  /** The path up to and with this parameter. */
  prefix: string;
  isText: boolean;
}

export function positionsOf({ path, textParams }: Endpoint): Position[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: text, 1: name = '', index }) => ({
    name,
    prefix: path.slice(0, index + text.length),
    isText: textParams?.includes(name) ?? false,
  }));
}

/** Every path of an endpoint up to and with an id. */
const idPrefixes = [
  ...new Set(
    endpoints.flatMap((endpoint) =>
      positionsOf(endpoint).flatMap(({ prefix, isText }) => (isText ? [] : [prefix])),
    ),
  ),
];

export function pathOf({ path }: Endpoint, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}

async function bodyOf(team: Owner, endpoint: Endpoint, params: Params) {
  const { body } = operations[endpoint.id] ?? {};
  if (body) return body(team, params);
  const schema = bodySchema(endpoint);
  if (!schema || endpoint.bodyOptional) return undefined;
  const required = valueOf({ ...schema, type: 'object' });
  if (!isJson(required) || endpoint.method !== 'PATCH') return isJson(required) ? required : {};
  const [first] = fieldsOf(endpoint).writable;
  return first ? { [first[0]]: valueOf(first[1]) } : {};
}

/** The fields of an endpoint's body that name other resources of the team. */
export function referencesOf(endpoint: Endpoint): { name: string; make: Make; isList: boolean }[] {
  const ids = fieldsOf(endpoint).writable.filter(
    ([name, schema]) => JSON.stringify(schema).includes('"uuid"') && !foreignIds.has(name),
  );
  return ids.map(([name, schema]) => {
    const make = operations[endpoint.id]?.references?.[name] ?? references[name];
    if (!make) throw new Error(`${endpoint.id}: nothing says how ${name} comes to exist`);
    return { name, make, isList: JSON.stringify(schema).includes('"array"') };
  });
}

/** The reason why an endpoint has no sample; undefined when it has one. */
export function gapOf(endpoint: Endpoint): string | undefined {
  try {
    for (const { prefix, isText } of positionsOf(endpoint)) {
      if (!isText) makerOf(endpoint, prefix);
    }
    referencesOf(endpoint);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
