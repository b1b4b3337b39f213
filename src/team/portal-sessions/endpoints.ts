import { sessionHash } from '../../platform/auth/session-secret.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import { refuseSuspendedTeam } from '../../platform/http/team-states.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { originOf } from '../../platform/schema/rules.ts';
import { revokeToken } from '../oauth2/queries.ts';
import { makePortalSession } from './make.ts';
import {
  NewPortalSession,
  OpenedPortalSession,
  PortalSession,
  PortalSessionCreate,
  PortalSessionOpen,
} from './portal-session.ts';
import {
  endPortalSession,
  openPortalSession,
  portalSessionSource,
  requirePortalSession,
} from './queries.ts';
import { portalProblems, portalScope, readScopes } from './rules.ts';

const tag = 'Portal';
const path = '/v2/partner/portal-sessions';
const defaultSeconds = 1_800;

export const createPortalSession = endpoint({
  id: 'createPortalSession',
  method: 'POST',
  path,
  summary: 'Create a one-time link to the pages of the team',
  description:
    'Makes a session of the team’s pages (webhooks, batches, campaigns and others) for a ' +
    'person, and answers with its link. The link opens the session once, within five minutes. ' +
    'The session shows and does only what its scopes allow; without any it reads what your ' +
    'token reads. To embed it, put the link into an iframe of a page of allowed_origins.',
  errors: ['quota_exceeded'],
  tag,
  scope: portalScope,
  rateClass: 'exchange',
  audit: 'portal_session.created',
  body: PortalSessionCreate,
  bodyExample: { page: 'webhooks', label: 'Ana, support', expires_in_seconds: 1_800 },
  bodyOptional: true,
  status: 201,
  response: NewPortalSession,
  location: `${path}/{id}`,
  showsSecret: true,
  async handle({ sql, teamId, principal, body, services }) {
    const requested: PortalSessionCreate = { ...body };
    const scopes = [...new Set(requested.scopes ?? readScopes(principal.scopes))].sort();
    const origins = requested.allowed_origins ?? [];
    const { allowLoopback } = services.config.webhooks;
    const problems = portalProblems(
      { scopes: requested.scopes ?? [], origins },
      principal.scopes,
      allowLoopback,
    );
    if (problems.length > 0) throw failAll(problems);
    if (scopes.length === 0) throw nothingToRead();
    return makePortalSession(sql, services.config.publicBaseUrl, {
      teamId,
      clientId: principal.clientId,
      label: requested.label ?? null,
      page: requested.page ?? 'requests',
      scopes,
      origins: origins.map((origin) => originOf(origin) ?? origin),
      seconds: requested.expires_in_seconds ?? defaultSeconds,
    });
  },
});

export const listPortalSessions = listEndpoint({
  id: 'listPortalSessions',
  path,
  summary: 'List portal sessions',
  description: 'Returns the sessions of the team’s pages that were not ended, for a week.',
  tag,
  scope: 'partner:portal_sessions:read',
  item: PortalSession,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    updated_at: { type: 'timestamp', filter: true, sort: true },
    expires_at: { type: 'timestamp', filter: true, sort: true },
    client_id: { type: 'id', filter: true },
  },
  defaultSort: '-inserted_at',
  source: ({ teamId }) => portalSessionSource(teamId),
});

export const getPortalSession = endpoint({
  id: 'getPortalSession',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a portal session',
  description:
    'Returns one session: its scopes, its end, and whether its link was opened. The link itself is not shown again.',
  tag,
  scope: 'partner:portal_sessions:read',
  rateClass: 'read',
  response: PortalSession,
  handle: ({ sql, teamId, params }) => requirePortalSession(sql, teamId, params.id),
});

export const deletePortalSession = endpoint({
  id: 'deletePortalSession',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'End a portal session',
  description:
    'Ends a session: its link opens nothing, and its token is refused within five seconds. ' +
    'The session leaves the list; the audit trail has its end.',
  tag,
  scope: portalScope,
  rateClass: 'write',
  audit: 'portal_session.ended',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const row = await requirePortalSession(sql, teamId, params.id);
    checkPrecondition(row);
    await endPortalSession(sql, teamId, row.id);
    await revokeToken(sql, row.id, new Date(row.expires_at));
    return undefined;
  },
});

export const openPortal = endpoint({
  id: 'openPortalSession',
  method: 'POST',
  path: `${path}/{id}/open`,
  summary: 'Exchange the secret of a link for the token of its session',
  description:
    'The page at a link calls it, without a token. It answers once, with an access token that ' +
    'has the scopes and the end of the session. A link that was opened, is over or is wrong ' +
    'is refused with 404.',
  errors: ['not_found', 'team_suspended'],
  tag,
  scope: 'open',
  rateClass: 'token',
  audit: { byHandler: 'portal_session.opened' },
  body: PortalSessionOpen,
  bodyExample: { secret: 'c2VjcmV0LW9mLXRoZS1saW5rLW9mLXRoaXMtc2Vzc2k' },
  status: 200,
  response: OpenedPortalSession,
  showsSecret: true,
  async handle({ sql, params, body, services, request }) {
    const session = await openPortalSession(sql, params.id, sessionHash(body.secret));
    if (!session) {
      throw fail('not_found', {
        detail: 'The link was already used, has expired, or is incomplete. Request a new one.',
        meta: { resource: 'portal_session' },
      });
    }
    await refuseSuspendedTeam(services, session.team_id);
    request.budget.giveBack();
    await insertAuditEvent(sql, {
      teamId: session.team_id,
      action: 'portal_session.opened',
      resourceId: session.id,
      changedFields: [],
      clientId: session.client_id,
      trace: request.trace,
    });
    const token = await services.tokens.issue({
      teamId: session.team_id,
      clientId: session.client_id,
      scopes: session.scopes,
      // The end of the session revokes its token.
      tokenId: session.id,
      lifetimeSeconds: session.seconds_left,
      isOfPerson: true,
    });
    return {
      access_token: token,
      token_type: 'Bearer' as const,
      expires_in: session.seconds_left,
      scope: session.scopes.join(' '),
      team_name: session.team_name,
      page: session.page,
    };
  },
});

export const portalSessionEndpoints = [
  createPortalSession,
  listPortalSessions,
  getPortalSession,
  deletePortalSession,
  openPortal,
];

function nothingToRead() {
  return fail('validation_failed', {
    detail: 'scopes is required, since your token has no read scope that a session could have.',
    meta: { pointer: '/scopes', rule: 'required' },
  });
}
