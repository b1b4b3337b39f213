import { hash, timingSafeEqual } from 'node:crypto';
import { tokenLifetimeSeconds } from '../../platform/auth/jwt.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import { sessionExpired } from '../../platform/auth/recipients.ts';
import { newSessionSecret, sessionHash } from '../../platform/auth/session-secret.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Services } from '../../platform/http/services.ts';
import { forgetMailboxMessage } from '../../messaging/dev-mailbox/queries.ts';
import { openBirthDate } from '../../contacts/edit.ts';
import type { ContactRow } from '../../contacts/queries.ts';
import type { EngagementKind } from '../../engagement/engagement-events/engagement-event.ts';
import { countNotice } from '../../messaging/notices/budgets.ts';
import { openCode } from '../../messaging/notices/code.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { eventOf } from '../engagement.ts';
import { canVerify, isKnown, viewOf } from '../journeys/render.ts';
import type { RecipientView } from '../journeys/render.ts';
import { recipientOf, widgetBodyLimitBytes } from '../recipient.ts';
import { shownSession } from '../sessions/open.ts';
import { lockSession, verifySession } from '../sessions/queries.ts';
import {
  IdentityAnswer,
  IdentityChallenge,
  IdentityChallengeRequest,
  IdentityVerdict,
} from './challenge.ts';
import { addressFor, isOfAddress, sendCode } from './codes.ts';
import {
  afterFailure,
  afterPassed,
  attemptsLeft,
  isUsedUp,
  knowledgeEndedUntil,
  lockedUntil,
} from './guessing.ts';
import type { Guesses } from './guessing.ts';
import {
  closeChallenge,
  countWrongAnswer,
  findChallenge,
  findFreshCode,
  forgetSource,
  insertChallenge,
  lockGuesses,
  writeSource,
  writeTotals,
} from './queries.ts';
import type { ChallengeRow, Guessed } from './queries.ts';
import { guessedOf, knowledgeEnded, locked, openFactors } from './locks.ts';
import { assuranceBy, channelOf, comparable, isCodeFactor, raisingFactors } from './rules.ts';
import type { AskedFactor } from './rules.ts';

const tag = 'Recipients';
const path = '/v2/widget/journeys/{journey_id}/identity-challenges';

export const createIdentityChallenge = endpoint({
  id: 'createIdentityChallenge',
  method: 'POST',
  path,
  summary: 'Create an identity challenge: a question that verifies the recipient',
  description:
    'Returns a question whose answer verifies the recipient. The factor is chosen by ' +
    'the template unless the body names one. A code is sent by e-mail or SMS; a repeat ' +
    'shortly after sends no second one. Send the answer with the operation ' +
    'answerIdentityChallenge.',
  errors: ['conflict', 'identity_locked'],
  tag,
  scope: 'session',
  rateClass: 'widget',
  audit: { none: 'recipient' },
  body: IdentityChallengeRequest,
  bodyOptional: true,
  bodyLimitBytes: widgetBodyLimitBytes,
  status: 201,
  response: IdentityChallenge,
  isLogged: false,
  async handle({ sql, teamId, principal, params, body, request, services }) {
    const sessionId = await lockedSessionOf(sql, teamId, principal);
    const recipient = recipientOf(principal);
    const view = await viewOf(sql, services, teamId, recipient, params.journey_id);
    const { secure_personalization: rule } = view.journey.content;
    const offered = offeredIn(view);
    const { factor: requested } = { ...body };
    if (requested !== undefined && !offered.some((name) => name === requested)) {
      throw fail('validation_failed', {
        detail: `factor must be one of ${offered.join(', ')}.`,
        meta: { pointer: '/factor', rule: 'enum', expected: offered },
      });
    }
    const guessed = guessedOf(services.keyring, view.journey, request.address);
    const guesses = await lockGuesses(sql, guessed);
    const open = openFactors(guesses, offered);
    const factor = open.find((name) => name === (requested ?? open[0]));
    if (!factor) throw knowledgeEnded(guesses, open);
    const sent = isCodeFactor(factor)
      ? await findFreshCode(sql, teamId, sessionId, factor)
      : undefined;
    const isSent = sent && (await isOfAddress(sql, services, sent, view.asked));
    const fresh = isSent ? sent : undefined;
    const challenge = fresh ?? (await insertChallenge(sql, teamId, sessionId, factor));
    await recordAuditOf(sql, principal, view, 'identity.challenge_presented', challenge);
    if (isCodeFactor(factor) && !fresh) {
      const channel = channelOf[factor];
      const to = addressFor(factor, view.asked) ?? '';
      await sendCode(sql, services, { challenge, to: { channel, address: to }, guessed, guesses });
      const { tier } = principal;
      const notice = { teamId, tier, channel, to, from: request.address };
      await countNotice(sql, services, notice);
    }
    const attempts_left = attemptsLeft(guesses, rule, factor, Date.now());
    return {
      ...challenge,
      type: 'identity_challenge' as const,
      offered_factors: open,
      attempts_left,
    };
  },
});

export const answerIdentityChallenge = endpoint({
  id: 'answerIdentityChallenge',
  method: 'POST',
  path: `${path}/{id}/answers`,
  summary: 'Answer an identity challenge; too many wrong answers lock it for a time (423)',
  description:
    'Checks the answer to an identity challenge. A right answer raises the assurance of the ' +
    'session and replaces its cookie. A wrong answer has status 200 and reduces ' +
    'attempts_left. Too many wrong answers lock the contact for a time, with 423 and ' +
    'meta.retry_at.',
  errors: ['conflict', 'identity_locked'],
  tag,
  scope: 'session',
  rateClass: 'widget',
  audit: { none: 'recipient' },
  body: IdentityAnswer,
  bodyLimitBytes: widgetBodyLimitBytes,
  response: IdentityVerdict,
  answerHeaders: ['Set-Cookie'],
  isLogged: false,
  async handle({ sql, teamId, principal, params, body, request, services }) {
    const sessionId = await lockedSessionOf(sql, teamId, principal);
    const recipient = recipientOf(principal);
    const view = await viewOf(sql, services, teamId, recipient, params.journey_id);
    const guessed = guessedOf(services.keyring, view.journey, request.address);
    const guesses = await lockGuesses(sql, guessed);
    const challenge = checkOpen(await findChallenge(sql, teamId, sessionId, params.id));
    const offered = offeredIn(view);
    const open = openFactors(guesses, offered);
    if (!isCodeFactor(challenge.factor) && !open.includes(challenge.factor)) {
      throw knowledgeEnded(guesses, open);
    }
    if (!(await isOfAddress(sql, services, challenge, view.contact))) throw decided();
    const isRight =
      offered.includes(challenge.factor) &&
      isAnswer(challenge, view.contact, services, body.answer);
    if (!isRight) return refuseAnswer(sql, principal, view, { challenge, guessed, guesses });
    await writeTotals(sql, guessed, afterPassed(guesses));
    await forgetSource(sql, guessed);
    await closeChallenge(sql, teamId, challenge.id, 'passed');
    await forgetMailboxMessage(sql, teamId, challenge.id);
    await recordAuditOf(sql, principal, view, 'identity.challenge_passed', challenge);
    // A holder of the previous secret has not answered the challenge.
    const secret = newSessionSecret();
    const session = await verifySession(sql, teamId, sessionId, {
      assurance: assuranceBy(challenge.factor),
      secretHash: sessionHash(secret),
      tokenLifetimeSeconds,
    });
    const can_verify = canVerify({ ...view, assurance: session.assurance });
    return shownSession(session, secret, (shown) => ({
      status: 'passed' as const,
      session: { ...shown, can_verify },
    }));
  },
});

export const identityChallengeEndpoints = [createIdentityChallenge, answerIdentityChallenge];

/** Throws 401 for a widget token without a session, and if the session ends meanwhile. */
async function lockedSessionOf(sql: Sql, teamId: string, principal: Principal): Promise<string> {
  const { sessionId } = recipientOf(principal);
  if (sessionId === null || !(await lockSession(sql, teamId, sessionId))) throw sessionExpired();
  return sessionId;
}

/** Throws 409 if there is no challenge to offer. */
function offeredIn({ journey, asked, assurance }: RecipientView): AskedFactor[] {
  const offered = raisingFactors(assurance, journey.content.secure_personalization, asked);
  if (offered.length > 0) return offered;
  throw fail('conflict', {
    detail: isKnown(assurance)
      ? 'It is known already who the recipient is.'
      : 'Verification is not possible: the template requests no factors, or none of them is recorded for the contact.',
    meta: { resource: 'identity_challenge' },
  });
}

/** Counts a wrong answer. A lock is returned, not thrown, so that the count is committed. */
async function refuseAnswer(
  sql: Sql,
  principal: Principal,
  view: RecipientView,
  { challenge, guessed, guesses }: { challenge: ChallengeRow; guessed: Guessed; guesses: Guesses },
) {
  const { teamId } = guessed;
  const { id, factor } = challenge;
  const { secure_personalization: rule } = view.journey.content;
  const nowMs = Date.now();
  const counted = afterFailure(guesses, rule, factor, nowMs);
  await writeTotals(sql, guessed, counted.totals);
  await writeSource(sql, guessed, counted.source);
  await countWrongAnswer(sql, teamId, id);
  await recordAuditOf(sql, principal, view, 'identity.challenge_failed', challenge);
  const lockEnd = lockedUntil(counted, nowMs);
  const isEnded = !isCodeFactor(factor) && knowledgeEndedUntil(counted, nowMs) !== undefined;
  const isDecided = isUsedUp(challenge.failed_count + 1, rule);
  if (lockEnd !== undefined || isEnded || isDecided) {
    await closeChallenge(sql, teamId, id, 'failed');
  }
  if (lockEnd === undefined && !isEnded) {
    const attempts_left = isDecided ? 0 : attemptsLeft(counted, rule, factor, nowMs);
    return { status: 'failed' as const, attempts_left };
  }
  await recordAuditOf(sql, principal, view, 'identity.challenge_locked', challenge);
  if (lockEnd !== undefined) return locked(lockEnd);
  return knowledgeEnded(counted, offeredIn(view).filter(isCodeFactor));
}

function checkOpen(challenge: ChallengeRow | undefined): ChallengeRow {
  if (!challenge) {
    throw fail('not_found', {
      detail: 'No such identity challenge.',
      meta: { resource: 'identity_challenge' },
    });
  }
  if (challenge.status === 'open' && !challenge.is_expired) return challenge;
  throw decided();
}

const decided = () =>
  fail('conflict', {
    detail: 'The challenge is already decided or has expired; request a new one.',
    meta: { resource: 'identity_challenge' },
  });

function isAnswer(
  { sealed_code, factor, ...challenge }: ChallengeRow,
  contact: ContactRow | undefined,
  { keyring }: Services,
  given: string,
): boolean {
  if (!contact) return false;
  const sentCode = () => sealed_code && openCode(keyring, challenge, sealed_code).code;
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

async function recordAuditOf(
  sql: Sql,
  principal: Principal,
  { journey }: RecipientView,
  kind: EngagementKind,
  { id, factor }: ChallengeRow,
): Promise<void> {
  const occurred_at = new Date().toISOString();
  const properties = { factor, challenge_id: id };
  await recordEngagement(sql, journey.team_id, [
    { ...eventOf(principal, journey), kind, occurred_at, properties },
  ]);
}
