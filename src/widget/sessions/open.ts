import type { Static } from 'typebox';
import {
  csrfTokenOf,
  newSessionSecret,
  sessionCookie,
  sessionHash,
  tokenSessionSecret,
} from '../../platform/auth/session-secret.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { Answer } from '../../platform/http/endpoint.ts';
import type { Services } from '../../platform/http/services.ts';
import { canVerify, renderJourney, viewOf } from '../journeys/render.ts';
import type { RecipientSession } from '../journeys/journey.ts';
import { openSessionRow } from './queries.ts';
import type { NewSession, SessionRow } from './queries.ts';

/** Days of a session without a limit of its widget, the most that browsers store a cookie. */
const maxCookieDays = 400;

/**
 * Opens a session, and responds with the data that a page needs to begin, and with the cookie. The
 * secret is new, or that of the token, so that a caller cannot choose it.
 */
export async function answerWithSession(
  sql: Sql,
  services: Services,
  requested: Omit<NewSession, 'secret_hash'>,
  maxDays: number | null = null,
) {
  const { token_id } = requested;
  const secret =
    token_id === null ? newSessionSecret() : tokenSessionSecret(services.keyring, token_id);
  const session = await openSessionRow(
    sql,
    { ...requested, secret_hash: sessionHash(secret) },
    maxDays ?? maxCookieDays,
  );
  const { team_id, journey_id, assurance } = session;
  const recipient = {
    journeyId: journey_id,
    widgetInstanceId: requested.widget_instance_id,
    assurance,
    locale: requested.locale,
  };
  const view = await viewOf(sql, services, team_id, recipient, journey_id);
  return shownSession(session, secret, (shown) => ({
    ...renderJourney(view),
    session: { ...shown, can_verify: canVerify(view) },
  }));
}

/** A response with a session under a new secret, with its cookie. */
export function shownSession<Body>(
  { journey_id, assurance, expires_at }: SessionRow,
  secret: string,
  show: (session: Static<typeof RecipientSession>) => Body,
): Answer<Body> {
  const maxAgeSeconds = Math.floor((Date.parse(expires_at) - Date.now()) / 1_000);
  const session = { expires_at, csrf_token: csrfTokenOf(secret), assurance, can_verify: false };
  const headers = { 'Set-Cookie': sessionCookie(journey_id, secret, maxAgeSeconds) };
  return new Answer(show(session), { headers });
}
