import { hash, timingSafeEqual } from 'node:crypto';
import { tokenLifetimeSeconds } from '../../auth/jwt.ts';
import type { Principal } from '../../auth/principal.ts';
import { sessionExpired } from '../../auth/recipients.ts';
import { newSessionSecret, sessionHash } from '../../auth/session-secret.ts';
import type { Sql } from '../../database/client.ts';
import { endpoint } from '../../http/endpoint.ts';
import { fail } from '../../http/errors.ts';
import type { Services } from '../../http/services.ts';
import { openBirthDate } from '../../partner/contacts/edit.ts';
import type { ContactRow } from '../../partner/contacts/queries.ts';
import type { EngagementKind } from '../../partner/engagement-events/engagement-event.ts';
import { codePlace, newCode } from '../../partner/message-deliveries/notices/code.ts';
import { insertNotice } from '../../partner/message-deliveries/notices/queries.ts';
import { recordEngagement } from '../../partner/engagement-events/record.ts';
import { eventOf } from '../engagement.ts';
import { isKnown, sceneOf } from '../journeys/render.ts';
import type { Scene } from '../journeys/render.ts';
import { recipientOf, widgetBodyLimitBytes } from '../recipient.ts';
import { shownSession } from '../sessions/open.ts';
import { verifySession } from '../sessions/queries.ts';
import {
  IdentityAnswer,
  IdentityChallenge,
  IdentityChallengeRequest,
  IdentityVerdict,
} from './challenge.ts';
import {
  closeChallenge,
  findChallenge,
  findFreshCode,
  forgetFailures,
  insertChallenge,
  keepCode,
  lockFailures,
  writeCodesSent,
  writeFailures,
} from './queries.ts';
import type { ChallengeRow } from './queries.ts';
import {
  afterCode,
  afterFailure,
  attemptsLeft,
  channelOf,
  codesLockedUntil,
  comparable,
  isCodeFactor,
  lockedUntil,
  offeredFactors,
} from './rules.ts';
import type { AskedFactor, CodeFactor, CodesSent } from './rules.ts';

const tag = 'Recipients';
const path = '/v2/widget/journeys/{journey_id}/identity-challenges';

export const createIdentityChallenge = endpoint({
  id: 'createIdentityChallenge',
  method: 'POST',
  path,
  summary: 'Ask for a question whose answer makes the recipient known',
  tag,
  scope: 'session',
  rateClass: 'widget',
  body: IdentityChallengeRequest,
  bodyOptional: true,
  bodyLimitBytes: widgetBodyLimitBytes,
  status: 201,
  response: IdentityChallenge,
  isLogged: false,
  async handle({ sql, teamId, principal, params, body, services }) {
    const sessionId = sessionOf(principal);
    const recipient = recipientOf(principal);
    const scene = await sceneOf(sql, services, teamId, recipient, params.journey_id);
    const { secure_personalization: rule } = scene.journey.content;
    const offered = offeredIn(scene);
    const { factor: wanted = offered[0] } = { ...body };
    const factor = offered.find((name) => name === wanted);
    if (!factor) {
      throw fail('validation_failed', {
        detail: `factor must be one of ${offered.join(', ')}.`,
        meta: { pointer: '/factor', rule: 'enum', expected: offered },
      });
    }
    const failures = await lockFailures(sql, teamId, scene.journey.contact_id);
    const retryAt = lockedUntil(failures, Date.now());
    if (retryAt !== undefined) throw locked(retryAt);
    const challenge = isCodeFactor(factor)
      ? await challengeByCode(sql, services, { scene, sessionId, factor, sent: failures })
      : await insertChallenge(sql, teamId, sessionId, factor);
    await note(sql, principal, scene, 'identity.challenge_presented', challenge);
    const attempts_left = attemptsLeft(failures, rule, Date.now());
    return { ...challenge, offered_factors: offered, attempts_left };
  },
});

export const answerIdentityChallenge = endpoint({
  id: 'answerIdentityChallenge',
  method: 'POST',
  path: `${path}/{id}/answers`,
  summary: 'Answer the question; too many wrong answers lock it for a while (423)',
  tag,
  scope: 'session',
  rateClass: 'widget',
  body: IdentityAnswer,
  bodyLimitBytes: widgetBodyLimitBytes,
  response: IdentityVerdict,
  isLogged: false,
  async handle({ sql, teamId, principal, params, body, services }) {
    const sessionId = sessionOf(principal);
    const recipient = recipientOf(principal);
    const scene = await sceneOf(sql, services, teamId, recipient, params.journey_id);
    const { contact_id } = scene.journey;
    const failures = await lockFailures(sql, teamId, contact_id);
    const challenge = checkOpen(await findChallenge(sql, teamId, sessionId, params.id));
    const nowMs = Date.now();
    const retryAt = lockedUntil(failures, nowMs);
    if (retryAt !== undefined) throw locked(retryAt);
    const isRight =
      offeredIn(scene).includes(challenge.factor) &&
      isAnswer(challenge, scene.contact, services, body.answer);
    if (isRight) {
      await forgetFailures(sql, teamId, contact_id);
      await closeChallenge(sql, teamId, challenge.id, 'passed');
      await note(sql, principal, scene, 'identity.challenge_passed', challenge);
      // Another secret: whoever knew the one before has not answered.
      const secret = newSessionSecret();
      const session = await verifySession(sql, teamId, sessionId, {
        secretHash: sessionHash(secret),
        tokenLifetimeSeconds,
      });
      return shownSession(session, secret, (shown) => ({
        status: 'passed' as const,
        session: shown,
      }));
    }
    const { secure_personalization: rule } = scene.journey.content;
    const counted = afterFailure(failures, rule, nowMs);
    await writeFailures(sql, teamId, contact_id, counted);
    await note(sql, principal, scene, 'identity.challenge_failed', challenge);
    if (counted.locked_until === null) {
      return { status: 'failed' as const, attempts_left: attemptsLeft(counted, rule, nowMs) };
    }
    await closeChallenge(sql, teamId, challenge.id, 'failed');
    await note(sql, principal, scene, 'identity.challenge_locked', challenge);
    // Returned, for the count is to stay.
    return locked(counted.locked_until);
  },
});

export const identityChallengeEndpoints = [createIdentityChallenge, answerIdentityChallenge];

/** Throws 401 for a widget token that has not begun a session. */
function sessionOf(principal: Principal): string {
  const { sessionId } = recipientOf(principal);
  if (sessionId === null) throw sessionExpired();
  return sessionId;
}

/** Throws 409 where nothing is to be asked. */
function offeredIn({ journey, contact, assurance }: Scene): AskedFactor[] {
  const offered = offeredFactors(journey.content.secure_personalization, contact);
  if (!isKnown(assurance) && offered.length > 0) return offered;
  throw fail('conflict', {
    detail: isKnown(assurance)
      ? 'It is known already who the recipient is.'
      : 'Nothing can be asked: the template asks nothing, or nothing of it is recorded.',
    meta: { resource: 'identity_challenge' },
  });
}

function checkOpen(challenge: ChallengeRow | undefined): ChallengeRow {
  if (!challenge) {
    throw fail('not_found', {
      detail: 'No such identity challenge.',
      meta: { resource: 'identity_challenge' },
    });
  }
  if (challenge.status === 'open' && !challenge.is_expired) return challenge;
  throw fail('conflict', {
    detail: 'The challenge has been decided or has expired; ask for another one.',
    meta: { resource: 'identity_challenge' },
  });
}

/** Sends a code, instead of any before; whoever asks twice at once is sent one. */
async function challengeByCode(
  sql: Sql,
  { keyring }: Services,
  {
    scene: { journey },
    sessionId,
    factor,
    sent,
  }: { scene: Scene; sessionId: string; factor: CodeFactor; sent: CodesSent | undefined },
): Promise<ChallengeRow> {
  const { team_id: teamId, contact_id } = journey;
  const fresh = await findFreshCode(sql, teamId, sessionId, factor);
  if (fresh) return fresh;
  const nowMs = Date.now();
  const retryAt = codesLockedUntil(sent, nowMs);
  if (retryAt !== undefined) throw locked(retryAt, 'Too many codes were sent to this recipient.');
  const challenge = await insertChallenge(sql, teamId, sessionId, factor);
  const { id } = challenge;
  await keepCode(sql, teamId, id, keyring.seal(newCode(), codePlace(teamId, id)));
  const channel = channelOf[factor];
  await insertNotice(sql, teamId, { id, notice: 'identity_code', contact_id, channel });
  await writeCodesSent(sql, teamId, contact_id, afterCode(sent, nowMs));
  return challenge;
}

function isAnswer(
  { team_id, id, factor, sealed_code }: ChallengeRow,
  contact: ContactRow | undefined,
  { keyring }: Services,
  given: string,
): boolean {
  if (!contact) return false;
  const sentCode = () => sealed_code && keyring.open(sealed_code, codePlace(team_id, id));
  const recorded = {
    postal_code: () => contact.postal_code,
    date_of_birth: () => openBirthDate(contact, keyring),
    unique_id_last4: () => contact.unique_id,
    otp_sms: sentCode,
    otp_email: sentCode,
  }[factor]();
  const digest = (text: string) => hash('sha256', comparable[factor](text), 'buffer');
  return recorded !== null && timingSafeEqual(digest(recorded), digest(given));
}

async function note(
  sql: Sql,
  principal: Principal,
  { journey }: Scene,
  kind: EngagementKind,
  { id, factor }: ChallengeRow,
): Promise<void> {
  const occurred_at = new Date().toISOString();
  const properties = { factor, challenge_id: id };
  await recordEngagement(sql, journey.team_id, [
    { ...eventOf(principal, journey), kind, occurred_at, properties },
  ]);
}

function locked(
  retryAt: string,
  detail = 'Too many wrong answers were given about this recipient.',
) {
  const seconds = Math.max(1, Math.ceil((Date.parse(retryAt) - Date.now()) / 1_000));
  return fail('identity_locked', {
    detail,
    meta: { retry_at: retryAt },
    headers: { 'Retry-After': String(seconds) },
  });
}
