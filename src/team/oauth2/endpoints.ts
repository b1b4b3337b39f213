import { Type } from 'typebox';
import { grantScopes, allScopes, isScope } from '../../platform/auth/scopes.ts';
import { tokenLifetimeSeconds } from '../../platform/auth/jwt.ts';
import { Answer, endpoint, isScoped } from '../../platform/http/endpoint.ts';
import type { EndpointFacts } from '../../platform/http/endpoint-facts.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import { refuseSuspendedTeam } from '../../platform/http/team-states.ts';
import { authenticateClient } from './client-authentication.ts';
import { revokeToken } from './queries.ts';
import { spendTokenRequest } from './token-budget.ts';

const formLimitBytes = 8_192;
const noStore = { Pragma: 'no-cache' };

const TokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String({ description: 'Scopes separated by single spaces' })),
  },
  { title: 'token_request' },
);

const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
    scope: Type.String({ description: 'Granted scopes separated by spaces' }),
  },
  { title: 'token_response' },
);

export const createToken = endpoint({
  id: 'createToken',
  method: 'POST',
  path: '/oauth2/token',
  summary: 'Get an access token (OAuth 2.0 client credentials)',
  description:
    'Exchanges the credentials of a client for an access token that is valid for one hour. ' +
    'Send client_id and client_secret in the form or by HTTP Basic, but not both. The answer ' +
    'names the scopes that were granted: scopes beyond the entitlement of the client are left ' +
    'out without an error. Reuse the token until shortly before it expires, then request ' +
    'another one.',
  errors: ['unsupported_grant_type', 'invalid_client', 'invalid_scope', 'team_suspended'],
  tag: 'Access',
  scope: 'open',
  rateClass: 'token',
  audit: { none: 'access_token' },
  body: TokenRequest,
  bodyKind: 'form',
  bodyLimitBytes: formLimitBytes,
  response: TokenResponse,
  transaction: false,
  async handle({ sql, body, services, request }) {
    const form = readForm(body, ['grant_type', 'client_id', 'client_secret', 'scope']);
    const grantType = form.get('grant_type');
    if (grantType === null) {
      throw fail('invalid_request', {
        detail: 'grant_type is required.',
        meta: { parameter: 'grant_type' },
      });
    }
    if (grantType !== 'client_credentials') {
      throw fail('unsupported_grant_type', {
        detail: 'The only grant type is client_credentials.',
      });
    }
    const client = await authenticateClient(sql, services.keyring, form, {
      authorization: request.headers['authorization'],
      address: request.address,
    });
    await refuseSuspendedTeam(services, client.team_id);
    spendTokenRequest(client, request.address);
    request.budget.giveBack();
    const requested = readScopes(form.get('scope'));
    const entitlement = { scopes: client.scopes, allowWildcards: client.allow_wildcards };
    const scopes = grantScopes(requested, entitlement, knownScopes(services.endpoints));
    const token = await services.tokens.issue({
      teamId: client.team_id,
      clientId: client.id,
      scopes,
    });
    services.log.info(
      { request_id: request.id, team_id: client.team_id, client_id: client.id },
      'an access token was issued',
    );
    return new Answer(
      {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: tokenLifetimeSeconds,
        scope: scopes.join(' '),
      },
      { headers: noStore },
    );
  },
});

export const revokeAccessToken = endpoint({
  id: 'revokeAccessToken',
  method: 'POST',
  path: '/oauth2/revoke',
  summary: 'Revoke an access token of the client (RFC 7009)',
  description:
    'Ends an access token of the client before it expires. An unknown token, and a token of ' +
    'another client, get the same answer with status 200, as RFC 7009 requires. Revoke a ' +
    'token when it may have leaked, then request another one.',
  errors: ['invalid_client'],
  tag: 'Access',
  scope: 'open',
  rateClass: 'token',
  audit: { none: 'access_token' },
  body: Type.Object({ token: Type.String(), token_type_hint: Type.Optional(Type.String()) }),
  bodyKind: 'form',
  bodyLimitBytes: 16_384,
  status: 200,
  response: Type.Object({}),
  async handle({ sql, body, services, request }) {
    const form = readForm(body, ['token', 'token_type_hint', 'client_id', 'client_secret']);
    const client = await authenticateClient(sql, services.keyring, form, {
      authorization: request.headers['authorization'],
      address: request.address,
    });
    request.budget.giveBack();
    const token = form.get('token');
    if (token === null) {
      throw fail('invalid_request', { detail: 'token is required.', meta: { parameter: 'token' } });
    }
    const known = await services.tokens.inspect(token);
    // The response does not reveal whether the token exists or belongs to another (RFC 7009 §2.2).
    if (known?.clientId === client.id) await revokeToken(sql, known.tokenId, known.expiresAt);
    return {};
  },
});

export const getJwks = endpoint({
  id: 'getJwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Get the public keys that verify access tokens',
  description:
    'Returns the public keys with which access tokens are signed, as a JSON Web Key Set. Keys ' +
    'are rotated: look a key up by the kid of a token, and fetch the set again when the kid ' +
    'is unknown. The answer may be cached for five seconds.',
  tag: 'Access',
  scope: 'open',
  rateClass: 'meta',
  response: Type.Object({ keys: Type.Array(Type.Unknown()) }),
  async handle({ services }) {
    const keys = await services.tokens.keys.published();
    return new Answer({ keys }, { headers: { 'Cache-Control': 'public, max-age=5' } });
  },
});

export const getAuthorizationServerMetadata = endpoint({
  id: 'getAuthorizationServerMetadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Get the authorization server metadata (RFC 8414)',
  description:
    'Returns the addresses and abilities of the authorization server, as RFC 8414 describes. ' +
    'OAuth libraries read it to configure themselves. It needs no credentials and changes ' +
    'with a release only.',
  tag: 'Access',
  scope: 'open',
  rateClass: 'meta',
  isConstant: true,
  response: Type.Object({
    issuer: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    jwks_uri: Type.String(),
    grant_types_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
  }),
  handle({ services }) {
    const base = services.config.publicBaseUrl;
    return Promise.resolve({
      issuer: base,
      token_endpoint: `${base}/oauth2/token`,
      revocation_endpoint: `${base}/oauth2/revoke`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: knownScopes(services.endpoints),
    });
  },
});

export const oauth2Endpoints = [
  createToken,
  revokeAccessToken,
  getJwks,
  getAuthorizationServerMetadata,
];

/** All scopes: those that endpoints require and those of the document. */
export function knownScopes(endpoints: readonly EndpointFacts[]): string[] {
  return allScopes(endpoints.map(({ scope }) => scope).filter(isScoped));
}

/** Each parameter at most once; unknown ones and those without a value are ignored (RFC 6749 §3.2). */
function readForm(body: unknown, names: readonly string[]): URLSearchParams {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  const repeated = names.filter((name) => form.getAll(name).length > 1);
  if (repeated.length === 0) {
    const empty = names.filter((name) => form.get(name) === '');
    for (const name of empty) form.delete(name);
    return form;
  }
  throw failAll(
    repeated.map((name) => ({
      code: 'invalid_request',
      detail: `${name} stands more than once.`,
      meta: { parameter: name },
    })),
  );
}

/** Characters of a scope token, RFC 6749 §3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const maxScopes = 200;

/** Unknown scopes are dropped, like every scope beyond the entitlement. */
function readScopes(scope: string | null): string[] | undefined {
  if (scope === null) return undefined;
  const tokens = scope.split(' ').filter(Boolean);
  if (tokens.length > maxScopes || !tokens.every((token) => scopeToken.test(token))) {
    throw fail('invalid_scope', {
      detail: `The scope must be at most ${String(maxScopes)} tokens of visible ASCII characters, separated by single spaces.`,
      meta: { parameter: 'scope' },
    });
  }
  return tokens.filter(isScope);
}
