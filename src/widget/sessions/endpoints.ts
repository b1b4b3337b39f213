import { Type } from 'typebox';
import { budgetId } from '../../platform/auth/budget-id.ts';
import { tokenLifetimeSeconds } from '../../platform/auth/jwt.ts';
import type { Recipient } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { challenge, consumeRateLimit } from '../../platform/http/authorize.ts';
import { sessionCookie } from '../../platform/auth/session-secret.ts';
import { networkOf } from '../../platform/http/client-address.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import type { Call } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Services } from '../../platform/http/services.ts';
import { readLinkToken } from '../../messaging/journey-link.ts';
import { widgetInstances } from '../widget-instances/queries.ts';
import { widgetScopes } from '../widget-instances/tokens/token.ts';
import { RecipientJourney } from '../journeys/journey.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { visitOf } from '../engagement.ts';
import { recipientOf, widgetBodyLimitBytes } from '../recipient.ts';
import { answerWithSession } from './open.ts';
import { boundSessions, deleteSession, findLinkedJourney, recordBootstrap } from './queries.ts';
import { sessionExpired } from '../../platform/auth/recipients.ts';

const tag = 'Recipients';

const Bootstrap = Type.Object(
  {
    link_token: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'The part after # of the link of the recipient; instead of a widget token',
      }),
    ),
  },
  { additionalProperties: false },
);

export const bootstrapWidget = endpoint({
  id: 'bootstrapWidget',
  method: 'POST',
  path: '/v2/widget/bootstrap',
  summary: 'Start a session of a recipient with a widget token or the link of the recipient',
  description:
    'Starts a session of a recipient, by a widget token or by the token of the recipient’s ' +
    'link. The answer has the journey, and sets the cookie of the session. Send ' +
    'session.csrf_token as X-CSRF-Token with every later write that uses the cookie. A token ' +
    'that is bound to no journey is refused with 409: enroll the recipient first. For a token ' +
    'of an enrollment widget this counts as a visit in its insights.',
  errors: ['journey_not_open'],
  tag,
  scope: 'session',
  opensSession: true,
  rateClass: 'widget',
  audit: { none: 'recipient' },
  body: Bootstrap,
  bodyOptional: true,
  bodyLimitBytes: widgetBodyLimitBytes,
  status: 201,
  response: RecipientJourney,
  answerHeaders: ['Set-Cookie'],
  isLogged: false,
  async admit({ services, principal, request, body }) {
    const { link_token } = { ...body };
    if (principal.recipient || link_token === undefined) return;
    const { database } = services;
    const { link, journey } = await database.read(
      (sql) => requireLink(sql, services, request, link_token),
      { isPipelined: true },
    );
    request.budget.giveBack();
    // By network: the holder of a forwarded link leaves the customer theirs.
    const opener = `link ${link.id} from ${networkOf(request.address)}`;
    const ownerId = budgetId(services.keyring, opener);
    await consumeRateLimit(services, { ownerId, tier: journey.tier, rateClass: 'session' });
  },
  handle(call) {
    const { recipient } = call.principal;
    const { link_token } = { ...call.body };
    if (recipient) return byToken(call, recipient);
    if (link_token !== undefined) return byLink(call, link_token);
    throw fail('token_missing', {
      detail: 'The request has no widget token and no link_token.',
      headers: challenge(),
    });
  },
});

type Sent = Pick<
  Call<unknown, unknown, unknown>,
  'sql' | 'teamId' | 'principal' | 'request' | 'services'
>;

async function byToken({ sql, teamId, principal, services }: Sent, recipient: Recipient) {
  const { widgetInstanceId, journeyId, contactId, tokenId, assurance, locale } = recipient;
  const widget =
    widgetInstanceId === null
      ? undefined
      : await widgetInstances.find(sql, teamId, widgetInstanceId);
  if (widgetInstanceId === null || journeyId === null || contactId === null) {
    if (widget?.widget_kind === 'enrollment' && tokenId !== null) {
      await recordEngagement(sql, teamId, [visitOf(recipient, widget)]);
    }
    // Returned, so that the visit is kept.
    return fail('journey_not_open', {
      detail: 'The token has no journey yet; send POST /v2/widget/enrollments first.',
      meta: { resource: 'journey' },
    });
  }
  const answer = await answerWithSession(
    sql,
    services,
    {
      team_id: teamId,
      journey_id: journeyId,
      contact_id: contactId,
      assurance,
      locale,
      widget_instance_id: widgetInstanceId,
      token_id: tokenId,
      link_generation: null,
      client_id: principal.clientId,
      scopes: [...principal.scopes],
    },
    widget?.session_max_days,
  );
  // Last: every bootstrap of the widget waits for it.
  await recordBootstrap(sql, teamId, widgetInstanceId);
  return answer;
}

/** The journey of a link that is opened. Throws 401 and 422. */
async function requireLink(sql: Sql, services: Services, request: Sent['request'], token: string) {
  // Links are opened on our own page alone.
  const { origin } = request.headers;
  if (origin !== undefined && !services.origins.isOwn(request.headers)) {
    throw fail('origin_not_allowed', {
      detail: 'A link can be opened only on the page that it leads to.',
      meta: { origin },
    });
  }
  const link = readLinkToken(services.keyring, token);
  const journey = link && (await findLinkedJourney(sql, link));
  if (!link || !journey) throw sessionExpired();
  return { link, journey };
}

async function byLink({ sql, request, services }: Sent, token: string) {
  const { link, journey } = await requireLink(sql, services, request, token);
  const answer = await answerWithSession(sql, services, {
    team_id: link.team_id,
    journey_id: link.id,
    contact_id: journey.contact_id,
    // A person to whom the message was forwarded has the link as well.
    assurance: 'none',
    locale: null,
    scopes: widgetScopes,
    widget_instance_id: null,
    token_id: null,
    client_id: null,
    link_generation: link.link_generation,
  });
  await boundSessions(sql, link.team_id, link.id);
  return answer;
}

/** The path of the cookie is that of the journey, so that only there a browser can send it. */
const ends = [
  { id: 'endRecipientSession', path: '/v2/widget/journeys/{journey_id}/session' },
  { id: 'endWidgetSession', path: '/v2/widget/session' },
];

const endSessionEndpoints = ends.map(({ id, path }) =>
  endpoint({
    id,
    method: 'DELETE',
    path,
    summary: 'End the session and remove its cookie',
    description:
      'Ends the session of the recipient, removes its cookie, and revokes the widget token that ' +
      'opened it. The journey itself continues. Start another session with the operation ' +
      'bootstrapWidget, by another token or by the link.',
    tag,
    scope: 'session',
    rateClass: 'widget',
    audit: { none: 'recipient' },
    answerHeaders: ['Set-Cookie', 'Clear-Site-Data'],
    isLogged: false,
    async handle({ sql, teamId, principal, params }) {
      const { sessionId, journeyId } = recipientOf(principal);
      const { journey_id = journeyId } = params;
      if (sessionId === null || journeyId === null || journey_id !== journeyId) {
        throw fail('not_found', { detail: 'No such session.', meta: { resource: 'session' } });
      }
      await deleteSession(sql, teamId, sessionId, tokenLifetimeSeconds);
      const headers = {
        'Set-Cookie': sessionCookie(journeyId, '', 0),
        // Not "cookies", which are those of the whole domain; nothing is in the storage.
        'Clear-Site-Data': '"cache"',
      };
      return new Answer(undefined, { headers });
    },
  }),
);

export const recipientSessionEndpoints = [bootstrapWidget, ...endSessionEndpoints];
