import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { Timestamp } from '../../../platform/schema/fields.ts';
import { Answer, endpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import { intakeOf } from '../../intake/intake.ts';
import { receivers } from '../../receivers.ts';
import { signalJob } from '../../../platform/jobs/queries.ts';
import { inboundJob } from '../../../../workflows/jobs.ts';
import { lockReceiver, requireReceiver, updateReceiverRow } from '../queries.ts';
import { overlapSeconds } from '../rules.ts';
import { newSecrets, readSettings, verificationOf } from './edit.ts';
import {
  askToConfirm,
  findPendingConfirmation,
  findReceiverRotationEnd,
  writeReceiverSecret,
} from './queries.ts';
import { ConfirmSubscription, Verification, VerificationSettings } from './verification.ts';

const tag = 'Incoming webhook receivers';
const path = '/v2/partner/incoming-webhook-receivers/{id}';
const scope = 'partner:incoming-webhooks:write';

export const getReceiverVerification = endpoint({
  id: 'getReceiverVerification',
  method: 'GET',
  path: `${path}/verification`,
  summary: 'Get the verification settings of a receiver, without secrets',
  description:
    'Returns how callbacks of a receiver are verified: scheme, settings and which secrets are ' +
    'set. Secrets are never returned.',
  tag,
  scope: 'partner:incoming-webhooks:read',
  rateClass: 'read',
  response: Verification,
  answerHeaders: ['ETag'],
  async handle({ sql, teamId, params: { id }, services: { config } }) {
    return verificationOf(sql, await requireReceiver(sql, teamId, id, config.publicBaseUrl));
  },
});

export const updateReceiverVerification = endpoint({
  id: 'updateReceiverVerification',
  method: 'PATCH',
  path: `${path}/verification`,
  summary: 'Update verification settings and secrets; a replaced secret stays valid for 24 hours',
  description:
    'Changes settings and secrets with which callbacks are verified. A secret that is ' +
    'replaced is accepted for another 24 hours. The change applies to the next callback and ' +
    'is recorded in the audit trail.',
  tag,
  scope,
  rateClass: 'write',
  body: VerificationSettings,
  response: Verification,
  answerHeaders: ['ETag'],
  audit: 'incoming_webhook_receiver.verification_updated',
  async handle({ sql, teamId, params: { id }, body, checkPrecondition, services }) {
    const { config, keyring } = services;
    const before = await lockReceiver(sql, teamId, id, config.publicBaseUrl);
    checkPrecondition(await verificationOf(sql, before));
    const change = readSettings(receivers[before.receiver_kind], before.settings, body, '');
    const isSame = isDeepStrictEqual(change.settings, before.settings);
    if (!isSame || change.secrets.length > 0) {
      await updateReceiverRow(sql, before, { ...before, settings: change.settings });
      for (const secret of change.secrets) {
        const place = { teamId, receiverId: id };
        await writeReceiverSecret(sql, keyring, place, secret, overlapSeconds);
      }
      intakeOf(services).forget(id);
    }
    const after = await requireReceiver(sql, teamId, id, config.publicBaseUrl);
    return verificationOf(sql, after);
  },
});

export const rotateReceiverSecret = endpoint({
  id: 'rotateReceiverSecret',
  method: 'POST',
  path: `${path}/rotate-secret`,
  summary: 'Rotate the signing secrets; the previous ones stay valid for 24 hours',
  description:
    'Creates new secrets of the service for a receiver, which are shown in this answer only. ' +
    'The old ones are accepted for another 24 hours. A rotation within that time is refused ' +
    'with 409 unless force is true. Install the new secrets at the relay or the provider.',
  errors: ['rotation_in_progress'],
  tag,
  scope,
  rateClass: 'write',
  body: Type.Object(
    { force: Type.Optional(Type.Boolean({ description: 'Ends a rotation that is under way' })) },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  response: Type.Object(
    {
      secrets: Type.Object(
        {
          relay_secret: Type.String({ description: 'whsec_…' }),
          receiver_token: Type.Optional(Type.String({ description: 'dors_…' })),
        },
        { description: 'Shown only here' },
      ),
      previous_expires_at: Type.Optional(Timestamp('Until then the old secrets are accepted too')),
    },
    { title: 'rotated_receiver_secrets' },
  ),
  showsSecret: true,
  audit: 'incoming_webhook_receiver.secret_rotated',
  async handle({ sql, teamId, params: { id }, body, services }) {
    const { config, keyring } = services;
    const receiver = await lockReceiver(sql, teamId, id, config.publicBaseUrl);
    const secrets = newSecrets(receivers[receiver.receiver_kind], receiver.settings);
    const names = Object.keys(secrets);
    const until = await findReceiverRotationEnd(sql, teamId, id, names);
    if (until !== undefined && !body.force) {
      throw fail('rotation_in_progress', {
        detail: 'The secrets were rotated recently.',
        meta: { previous_expires_at: until },
      });
    }
    for (const [name, text] of Object.entries(secrets)) {
      const place = { teamId, receiverId: id };
      await writeReceiverSecret(sql, keyring, place, { name, text }, overlapSeconds);
    }
    await updateReceiverRow(sql, receiver, receiver);
    intakeOf(services).forget(id);
    const previous_expires_at = await findReceiverRotationEnd(sql, teamId, id, names);
    return { secrets, previous_expires_at };
  },
});

export const confirmReceiverSubscription = endpoint({
  id: 'confirmReceiverSubscription',
  method: 'POST',
  path: `${path}/confirm-subscription`,
  summary: 'Confirm the pending topic subscription and pin its topic',
  description:
    'Accepts the notifications of a topic that asks to be confirmed, and pins the topic to ' +
    'the receiver. The confirmation is sent in the background. Without a request of a topic ' +
    'the answer is 409. Read subscription states at the verification of the receiver.',
  errors: ['conflict'],
  tag,
  scope,
  rateClass: 'execute',
  body: ConfirmSubscription,
  bodyOptional: true,
  status: 202,
  response: Verification,
  answerHeaders: ['ETag'],
  audit: 'incoming_webhook_receiver.subscription_confirmed',
  async handle({ sql, teamId, params: { id }, body, services }) {
    const { config } = services;
    const receiver = await lockReceiver(sql, teamId, id, config.publicBaseUrl);
    const pending = await findPendingConfirmation(sql, teamId, id, body.topic_arn);
    if (!pending) {
      throw fail('conflict', { detail: 'No topic subscription is waiting for confirmation.' });
    }
    const settings = withTopic(receiver.settings, pending.topic_arn);
    await updateReceiverRow(sql, receiver, { ...receiver, settings });
    await askToConfirm(sql, teamId, id, pending.delivery_id);
    await signalJob(sql, inboundJob, id, teamId);
    intakeOf(services).forget(id);
    const after = await requireReceiver(sql, teamId, id, config.publicBaseUrl);
    return new Answer(await verificationOf(sql, after));
  },
});

/** A signature of the provider proves that some topic sent it: which topics may, is said here. */
function withTopic(settings: Readonly<Record<string, unknown>>, topicArn: string) {
  const { topic_arns: known } = settings;
  const pinned: unknown[] = Array.isArray(known) ? known : [];
  return { ...settings, topic_arns: [...new Set([...pinned, topicArn])] };
}

export const receiverVerificationEndpoints = [
  getReceiverVerification,
  updateReceiverVerification,
  rotateReceiverSecret,
  confirmReceiverSubscription,
];
