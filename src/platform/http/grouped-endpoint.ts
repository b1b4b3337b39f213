import type { Static, TSchema } from 'typebox';
import type { Audit } from './audited.ts';
import type { ParamsOf, Shown } from './declared-types.ts';
import type { Answer, Call, Endpoint, Shared } from './endpoint.ts';
import type { Method } from './endpoint-facts.ts';
import type { HttpError } from './errors.ts';

interface GroupedDeclaration<
  Path extends string,
  Body extends TSchema,
  Response extends TSchema,
  Accepted extends TSchema | undefined,
> extends Omit<
  Endpoint,
  'method' | 'path' | 'query' | 'body' | 'response' | 'accepted' | 'admit' | 'handle' | 'together'
> {
  method: Exclude<Method, 'GET'>;
  audit: Audit;
  path: Path;
  body: Body;
  response: Response;
  accepted?: Accepted;
  /** For a call that is alone, where that is quicker; otherwise `together` handles it. */
  handle?(
    call: Call<ParamsOf<Path>, undefined, Static<Body>>,
  ): Promise<Shown<Response> | Answer<Shown<Response> | Shown<Accepted>>>;
  together: {
    mixesTeams?: true;
    usesSavepoints?: true;
    admits?(call: { body: Static<Body> }): boolean;
    handle(
      shared: Shared,
      calls: readonly Call<ParamsOf<Path>, undefined, Static<Body>>[],
    ): Promise<readonly (Shown<Response> | Answer<Shown<Response>> | HttpError)[]>;
  };
}

/** Declares an endpoint whose concurrent calls share a transaction. */
export function groupedEndpoint<
  const Path extends string,
  Body extends TSchema,
  Response extends TSchema,
  Accepted extends TSchema | undefined = undefined,
>(declaration: GroupedDeclaration<Path, Body, Response, Accepted>): Endpoint;
export function groupedEndpoint(
  declaration: Omit<Endpoint, 'handle'> &
    Partial<Pick<Endpoint, 'handle'>> &
    Required<Pick<Endpoint, 'together'>>,
): Endpoint {
  const { together } = declaration;
  return { handle: async (call) => (await together.handle(call, [call]))[0], ...declaration };
}
