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

/** Properties of a resource that its schemas do not contain. */
export interface Recipes {
  /**
   * Creates the resource of the last id of a path, given the ids before it, by path up to it. Not
   * needed where the POST of its list creates it with a minimal body.
   */
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

/** Properties of an operation that its schemas do not contain. */
export interface Recipe {
  /** Makes what the last id of the path names, where that has to be in a state of its own. */
  target?: Make;
  /** Where the required fields alone are no good body. */
  body?: Body;
  /** Fields of its body whose ids are others than under that name elsewhere. */
  references?: Readonly<Record<string, Make>>;
  /** Creates the data that a GET shows besides its path, if `places` does not create it. */
  shown?: Deed;
  /** Ids of other resources deeper in the body than its fields. */
  deepIds?: readonly { name: string; make: Make; body: (id: string) => Json }[];
  /** Parameters that require another scope besides that of the operation. */
  furtherScopes?: readonly { scope: string; query?: string; body?: Body }[];
  /** Situations that distinguish teams if the same rows, or the same action, do not. */
  scenes?: readonly Scene[];
  /** The maximum number in a team (or in the resource of the path), and the table of the rows. */
  quota?: { table: string; most: number };
}

/** An action on a twin, and not on the calling team. */
export interface Scene {
  /** Ends "a twin …". */
  title: string;
  /** Instead of the target of the operation. */
  target?: Make;
  query?: (team: Owner) => Promise<string>;
  body?: Body;
  deed?: Deed;
  /** A request that shows the difference if the answer does not, such as the body of a list. */
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
