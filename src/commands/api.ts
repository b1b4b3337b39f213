import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { callLocal } from '../local/call.ts';
import { LocalFailure } from '../local/local-failure.ts';
import type { DemoFile } from './demo-file.ts';

/** A client of the service, as a partner would write one. */
export interface Api {
  get<Schema extends TSchema>(path: string, schema: Schema): Promise<Static<Schema>>;
  post<Schema extends TSchema>(path: string, body: object, schema: Schema): Promise<Static<Schema>>;
  patch(path: string, body: object): Promise<void>;
  delete(path: string): Promise<void>;
}

/** Where the service is, and a client of it. */
export type Credentials = Pick<DemoFile, 'base_url' | 'client_id' | 'client_secret'>;

const Token = Type.Object({ access_token: Type.String() });

/** Gets a token with a client's credentials. */
export async function openApi(client: Credentials): Promise<Api> {
  const { base_url: base, client_id, client_secret } = client;
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const answer = await callLocal(`${base}/oauth2/token`, { body: new URLSearchParams(grant) });
  const { access_token } = parse(Token, answer);
  const headers = { Authorization: `Bearer ${access_token}` };
  return {
    async get(path, schema) {
      return parse(schema, await callLocal(base + path, { headers }));
    },
    async post(path, body, schema) {
      return parse(schema, await callLocal(base + path, { headers, body }));
    },
    async patch(path, body) {
      await callLocal(base + path, { method: 'PATCH', headers, body });
    },
    async delete(path) {
      await callLocal(base + path, { method: 'DELETE', headers });
    },
  };
}

function parse<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const compiled = Compile(schema);
  if (compiled.Check(value)) return value;
  throw new LocalFailure(`An answer is not of the expected form: ${JSON.stringify(value)}`);
}
