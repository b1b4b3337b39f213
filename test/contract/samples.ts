import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../src/http/endpoint.ts';
import type { TestTeam } from '../support/api.ts';
import { bodySchema, fieldsOf, isJson, valueOf } from './json-schema.ts';
import type { Json } from './json-schema.ts';

export type Params = Readonly<Record<string, string>>;
type Make = (team: TestTeam, params: Params) => Promise<string>;

/** A request that an endpoint takes. */
export interface Sample {
  params: Params;
  path: string;
  body: Json | undefined;
}

/** POSTs a minimal body and returns the id of what was made. */
async function create(team: TestTeam, path: string, body: Json): Promise<string> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) {
    throw new Error(`POST ${path} answers ${String(reply.status)} ${JSON.stringify(reply.body)}`);
  }
  return String(reply.body.id);
}

const subscription = () => ({
  target_url: `https://hooks.example.com/${randomUUID()}`,
  event_types: ['*'],
});
const contact = () => ({ unique_id: randomUUID() });
const objective = () => ({ name: 'Objective', key: `o-${randomUUID()}` });

const newContact: Make = (team) => create(team, '/v2/partner/contacts', contact());
const newTemplate: Make = (team) => create(team, '/v2/partner/templates', { name: 'Template' });
const newObjective: Make = (team) => create(team, '/v2/partner/objectives', objective());

const newAccount =
  (stamps: Json): Make =>
  async (team, params) =>
    create(team, `/v2/partner/contacts/${await newContact(team, params)}/accounts`, {
      kind: 'deposit',
      ...stamps,
    });
const openedAt = { opened_at: '2026-01-05T00:00:00.000Z' };
const closedAt = { closed_at: '2026-02-05T00:00:00.000Z' };

/** How the last id of a path comes to exist; the ids before it are given. By path up to that id. */
const places: Readonly<Record<string, Make>> = {
  '/v2/partner/accounts/{id}': newAccount({}),
  '/v2/partner/contacts/{id}': newContact,
  '/v2/partner/objectives/{id}': newObjective,
  '/v2/partner/templates/{id}': newTemplate,
  '/v2/partner/webhook-subscriptions/{id}': (team) =>
    create(team, '/v2/partner/webhook-subscriptions', subscription()),
  '/v2/partner/webhook-subscriptions/{id}/deliveries/{delivery_id}': (team, { id = '' }) =>
    create(team, `/v2/partner/webhook-subscriptions/${id}/test`, {}),
};

/** Where an operation needs its resource in another state than the one it is made in. */
const states: Readonly<Record<string, Make>> = {
  closeAccount: newAccount(openedAt),
  reopenAccount: newAccount({ ...openedAt, ...closedAt }),
};

/** Bodies that the schema alone does not give. */
const bodies: Readonly<Record<string, (team: TestTeam, params: Params) => Json | Promise<Json>>> = {
  createContact: contact,
  createObjective: objective,
  createWebhookSubscription: subscription,
  updateContact: () => ({ first_name: 'Ada' }),
};

/** Values of path parameters that are no ids. */
const texts: Readonly<Record<string, string>> = {
  channel: 'email',
};

/** Fields of bodies that hold ids of other resources, and what makes one. */
const references: Readonly<Record<string, Make>> = {
  objective_ids: newObjective,
};
/** Ids that partners choose, of things that the service does not know. */
const foreignIds = new Set(['product_id']);

/** Makes a request that the endpoint takes: a fresh resource for each id, and a minimal body. */
export async function sampleOf(team: TestTeam, endpoint: Endpoint): Promise<Sample> {
  const params = await paramsOf(team, endpoint);
  return { params, path: pathOf(endpoint, params), body: await bodyOf(team, endpoint, params) };
}

export async function paramsOf(team: TestTeam, endpoint: Endpoint): Promise<Params> {
  const params: Record<string, string> = {};
  for (const { name, prefix, isText } of positionsOf(endpoint)) {
    if (isText) params[name] = texts[name] ?? 'text';
    else params[name] = await makerOf(endpoint, prefix)(team, params);
  }
  return params;
}

function makerOf(endpoint: Endpoint, prefix: string): Make {
  const isLast = positionsOf(endpoint).at(-1)?.prefix === prefix;
  const make = (isLast ? states[endpoint.id] : undefined) ?? places[prefix];
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

export function pathOf({ path }: Endpoint, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}

async function bodyOf(team: TestTeam, endpoint: Endpoint, params: Params) {
  const special = bodies[endpoint.id];
  if (special) return special(team, params);
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
    const make = references[name];
    if (!make) throw new Error(`${endpoint.id}: nothing says how ${name} comes to exist`);
    return { name, make, isList: JSON.stringify(schema).includes('"array"') };
  });
}

/** What keeps an endpoint from having a sample; undefined when it has one. */
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
