import type { Reply } from '../../support/api.ts';
import type { TestDatabase } from '../../support/database.ts';
import type { Json } from '../json-schema.ts';

export type Params = Readonly<Record<string, string>>;
/** A team that things are made for; one of the tests, or one of a service that runs by itself. */
export interface Owner {
  id: string;
  /** To make what the API has no way to make. */
  db: Pick<TestDatabase, 'look'>;
  get(path: string): Promise<Pick<Reply, 'status' | 'body'>>;
  patch(path: string, body: unknown): Promise<Pick<Reply, 'status' | 'body'>>;
  post(path: string, body?: unknown): Promise<Pick<Reply, 'status' | 'body'>>;
}
/** Makes a resource and returns its id. */
export type Make = (team: Owner, params: Params) => Promise<string>;

/** What the schemas of a resource cannot tell of it. */
export interface Recipes {
  /** How the last id of a path comes to exist; the ids before it are given. By path up to that id. */
  places?: Readonly<Record<string, Make>>;
  /** By operation id. */
  operations?: Readonly<Record<string, Recipe>>;
  /** Fields of any body that hold ids of the resource, and what makes one. */
  references?: Readonly<Record<string, Make>>;
  /** Ids in bodies that partners choose, of things that the service does not know. */
  foreignIds?: readonly string[];
  /** Values of path parameters that are no ids. */
  texts?: Readonly<Record<string, string>>;
}

/** What the schemas cannot tell of an operation. */
export interface Recipe {
  /** Makes what the last id of the path names, where that has to be in a state of its own. */
  target?: Make;
  /** Where the required fields alone are no good body. */
  body?: Body;
  /** Fields of its body whose ids are others than under that name elsewhere. */
  references?: Readonly<Record<string, Make>>;
  /** What a GET shows besides what its path names, where that is not what `places` makes. */
  shown?: Deed;
  /** Ids of other resources deeper in the body than its fields. */
  deepIds?: readonly { name: string; make: Make; body: (id: string) => Json }[];
  /** What asks for another scope besides that of the operation. */
  furtherScopes?: readonly { scope: string; query?: string; body?: Body }[];
  /** Situations that tell teams apart where the same rows, or the same deed, do not. */
  scenes?: readonly Scene[];
  /** How many a team (or what the path names) may have, and in which table they are. */
  quota?: { table: string; most: number };
}

/** What happens to a twin, and not to the team that asks. */
export interface Scene {
  /** Ends "a twin …". */
  title: string;
  /** Instead of the target of the operation. */
  target?: Make;
  query?: (team: Owner) => Promise<string>;
  body?: Body;
  deed?: Deed;
  /** What shows the difference where the answer does not: the body of a list, say. */
  seen?: (team: Owner) => Promise<unknown>;
}
export type Body = (team: Owner, params: Params) => Json | Promise<Json>;
type Deed = (team: Owner, params: Params) => Promise<unknown>;

/** POSTs a minimal body and returns the id of what was made. */
export async function create(team: Owner, path: string, body?: Json): Promise<string> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) {
    throw new Error(`POST ${path} answers ${String(reply.status)} ${JSON.stringify(reply.body)}`);
  }
  return String(reply.body.id);
}

/** Changes what is there. */
export async function change(team: Owner, path: string, fields: Json): Promise<void> {
  const { status, body } = await team.patch(path, fields);
  if (status !== 200) throw new Error(`PATCH ${path} answers ${JSON.stringify(body)}`);
}

/** Does these things to it, one after the other; returns the id that was given. */
export async function act(team: Owner, path: string, id: string, actions: readonly string[]) {
  for (const action of actions) await create(team, `${path}/${id}/${action}`);
  return id;
}

/** The id of what a list shows first. */
export async function firstOf(team: Owner, path: string): Promise<string> {
  const { body } = await team.get(path);
  return String(body.data[0].id);
}
