import type { Recipient } from '../../auth/principal.ts';
import {
  csrfTokenOf,
  newSessionSecret,
  sessionCookie,
  sessionHash,
} from '../../auth/session-secret.ts';
import type { Sql } from '../../database/client.ts';
import { Answer } from '../../http/endpoint.ts';
import type { Services } from '../../http/services.ts';
import { canVerify, renderJourney, sceneOf } from '../journeys/render.ts';
import { openSessionRow } from './queries.ts';
import type { NewSession, SessionRow } from './queries.ts';

/** Days of a session that no widget bounds. */
export const defaultSessionDays = 90;

/**
 * Opens a session and answers with all that a page needs to begin, and with the cookie. The secret
 * is always a fresh one, whatever the caller brings.
 */
export async function answerWithSession(
  sql: Sql,
  services: Services,
  wanted: Omit<NewSession, 'secret_hash'>,
  maxDays: number,
) {
  const secret = newSessionSecret();
  const session = await openSessionRow(
    sql,
    { ...wanted, secret_hash: sessionHash(secret) },
    maxDays,
  );
  return answerAs(sql, services, session, secret, {
    ...{ widgetInstanceId: wanted.widget_instance_id, locale: wanted.locale },
  });
}

/** What a recipient is shown under a fresh secret. */
export async function answerAs(
  sql: Sql,
  services: Services,
  session: SessionRow,
  secret: string,
  shownIn: Pick<Recipient, 'widgetInstanceId' | 'locale'>,
) {
  const { team_id, journey_id, assurance, expires_at } = session;
  const recipient = { ...shownIn, journeyId: journey_id, assurance };
  const scene = await sceneOf(sql, services, team_id, recipient);
  const maxAgeSeconds = Math.floor((Date.parse(expires_at) - Date.now()) / 1_000);
  const csrf_token = csrfTokenOf(secret);
  return new Answer(
    {
      ...renderJourney(scene),
      session: { expires_at, csrf_token, assurance, can_verify: canVerify(scene) },
    },
    { headers: { 'Set-Cookie': sessionCookie(journey_id, secret, maxAgeSeconds) } },
  );
}
