import { tokenLifetimeSeconds } from '../../../platform/auth/jwt.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../../platform/http/audit.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import type { Call } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import { originOf } from '../../../platform/schema/rules.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';
import { requireContact } from '../../../contacts/queries.ts';
import { requireTemplate } from '../../../campaigns/templates/queries.ts';
import { widgetInstances } from '../queries.ts';
import type { WidgetInstanceRow } from '../widget-instance.ts';
import { findJourneyToShow, revokeWidgetToken, revokeWidgetTokens } from './queries.ts';
import { WidgetToken, WidgetTokenRequest, WidgetTokenRevocation, widgetScopes } from './token.ts';
import type { WidgetTokenRequest as TokenRequest } from './token.ts';

const tag = 'Widgets';
const path = '/v2/partner/widget-instances/{id}/tokens';
const scope = 'partner:widgets:execute';

export const createWidgetToken = endpoint({
  id: 'createWidgetToken',
  method: 'POST',
  path,
  summary: 'Create a token with which a page shows a widget to one recipient',
  description:
    'Creates a token with which a page shows a widget to one recipient. Call it from your ' +
    'server, and pass the token to the page. The token is valid for one hour and is bound to ' +
    'the widget, the contact and the origin that the body names. Set assurance to ' +
    'authenticated only where you have signed the person in. The page calls the operation ' +
    'bootstrapWidget next.',
  errors: [
    'widget_inactive',
    'origin_not_allowed',
    'resource_erased',
    'contact_merged',
    'journey_not_open',
  ],
  tag,
  scope,
  rateClass: 'exchange',
  audit: { byHandler: 'widget_instance.token_issued' },
  body: WidgetTokenRequest,
  status: 201,
  response: WidgetToken,
  showsSecret: true,
  async handle(call) {
    const { sql, teamId, principal, params, body, services } = call;
    const widget = await widgetInstances.require(sql, teamId, params.id);
    checkActive(widget);
    const origin = body.origin === undefined ? null : checkOrigin(widget, body.origin);
    const contactId = await contactOf(sql, widget, body);
    const journeyId = await journeyOf(sql, widget, contactId, body);
    const scopes = body.scopes ?? widgetScopes;
    const isAuthenticated = body.assurance === 'authenticated';
    const { token, expiresAt } = await services.widgetTokens.issue({
      teamId,
      clientId: principal.clientId,
      widgetInstanceId: widget.id,
      contactId,
      journeyId,
      origin,
      locale: body.locale ?? null,
      isAuthenticated,
      scopes,
    });
    if (isAuthenticated) recordVouching(call, widget);
    else countToken(call, widget);
    return {
      access_token: token,
      token_type: 'Bearer' as const,
      expires_in: tokenLifetimeSeconds,
      expires_at: toTimestamp(expiresAt.getTime()),
      scope: scopes.join(' '),
      widget_instance_id: widget.id,
      contact_id: contactId,
      journey_id: journeyId,
    };
  },
});

export const revokeWidgetTokensOf = endpoint({
  id: 'revokeWidgetTokens',
  method: 'POST',
  path: `${path}/revoke`,
  summary: 'Revoke one or all tokens of a widget, with their sessions',
  description:
    'Ends one token of a widget, or all tokens where the body names none, with the sessions ' +
    'that they opened. An unknown token gets the same answer with status 204. Recipients need ' +
    'a new token afterwards.',
  tag,
  scope,
  rateClass: 'execute',
  body: WidgetTokenRevocation,
  bodyOptional: true,
  audit: 'widget_instance.tokens_revoked',
  async handle({ sql, teamId, params: { id }, body, services }) {
    await widgetInstances.lock(sql, teamId, id);
    // Without a body there is nothing to read.
    const { access_token: token } = { ...body };
    if (token === undefined) {
      await revokeWidgetTokens(sql, teamId, id);
      return undefined;
    }
    const claims = await services.widgetTokens.inspect(token);
    // The response does not reveal whether the token exists or belongs to another (RFC 7009 §2.2).
    if (claims?.teamId === teamId && claims.widgetInstanceId === id) {
      await revokeWidgetToken(sql, teamId, claims.tokenId, claims.expiresAt);
    }
    return undefined;
  },
});

export const widgetTokenEndpoints = [createWidgetToken, revokeWidgetTokensOf];

function checkActive({ is_active, is_archived }: WidgetInstanceRow): void {
  if (is_active && !is_archived) return;
  throw fail('widget_inactive', {
    detail: `The widget is ${is_archived ? 'archived' : 'inactive'}.`,
    meta: { resource: 'widget_instance' },
  });
}

function checkOrigin({ allowed_origins }: WidgetInstanceRow, given: string): string {
  const origin = originOf(given);
  if (origin !== undefined && allowed_origins.includes(origin)) return origin;
  throw fail('origin_not_allowed', {
    detail: 'origin is not in allowed_origins of the widget.',
    meta: { pointer: '/origin', allowed: allowed_origins },
  });
}

/** Throws 404, 410 and 422. */
async function contactOf(
  sql: Sql,
  { team_id, widget_kind }: WidgetInstanceRow,
  { contact_id, contact_unique_id: key }: TokenRequest,
): Promise<string | null> {
  if (contact_id !== undefined && key !== undefined) {
    throw invalid('/contact_unique_id', 'unknown_field', 'Name the contact once, by id or by key.');
  }
  if (contact_id === undefined && key === undefined) {
    if (widget_kind === 'enrollment') return null;
    throw invalid('/contact_id', 'required', 'contact_id is required: who is to see the widget?');
  }
  const reference = contact_id?.toLowerCase() ?? `unique_id:${key ?? ''}`;
  return (await requireContact(sql, team_id, reference)).id;
}

/** The journey that the token is bound to. Throws 404, 409 and 422. */
async function journeyOf(
  sql: Sql,
  { team_id, widget_kind, template_id }: WidgetInstanceRow,
  contactId: string | null,
  body: TokenRequest,
): Promise<string | null> {
  const requested = body.template_id?.toLowerCase();
  if (requested !== undefined) await requireTemplate(sql, team_id, requested);
  if (requested !== undefined && template_id !== null && requested !== template_id) {
    throw invalid('/template_id', 'enum', 'The widget is for another template.');
  }
  const journeyId = body.journey_id?.toLowerCase();
  const journey =
    contactId === null
      ? undefined
      : await findJourneyToShow(sql, team_id, {
          contactId,
          journeyId,
          templateId: template_id ?? requested ?? null,
        });
  if (!journey && journeyId !== undefined) {
    throw fail('not_found', {
      detail: 'The contact has no such journey here.',
      meta: { resource: 'journey', pointer: '/journey_id' },
    });
  }
  if (journey?.is_open) return journey.id;
  if (!journey && widget_kind === 'enrollment') return null;
  throw fail('journey_not_open', {
    detail: journey ? 'The journey has ended.' : 'The contact has no open journey here.',
    meta: { resource: 'journey' },
  });
}

/** Anonymous tokens are issued at every visit of a page, so they are counted. */
function countToken(
  {
    teamId,
    principal: { clientId },
    request,
    services,
  }: Call<{ id: string }, unknown, TokenRequest>,
  { id: resourceId }: WidgetInstanceRow,
): void {
  const action = 'widget_instance.token_issued';
  services.auditCounter.count({ teamId, clientId, action, resourceId }, request.trace, 1);
}

/** The login of the partner replaces a challenge, so the audit trail names the client. */
function recordVouching(
  { sql, principal, request, body }: Call<{ id: string }, unknown, TokenRequest>,
  { id }: WidgetInstanceRow,
): void {
  recordAudit(sql, {
    action: 'widget_instance.token_issued',
    principal,
    trace: request.trace,
    pathId: id,
    clean: (row: unknown) => row,
    body,
    before: undefined,
    after: { id, ...body },
  });
}

function invalid(pointer: string, rule: string, detail: string) {
  return fail('validation_failed', { detail, meta: { pointer, rule } });
}
