import { Type } from 'typebox';
import { eventPrefixes } from '../../../platform/events/registered-types.ts';
import type { EventType } from '../../../platform/events/event-type.ts';
import { sampleOf } from '../../../platform/events/example.ts';
import { recordEvent } from '../../../platform/events/record.ts';
import { webhookPing } from '../../events.ts';
import { Timestamp } from '../../../platform/schema/fields.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { signalJob } from '../../../platform/jobs/queries.ts';
import { webhookRecoveryJob } from '../../../../workflows/jobs.ts';
import { findTypeOfTeam } from '../event-patterns.ts';
import { requireEventDelivery } from '../deliveries/queries.ts';
import { WebhookDelivery } from '../deliveries/webhook-delivery.ts';
import {
  checkOn,
  findRotationEnd,
  isHeldByRecovery,
  insertSecret,
  lockSubscription,
  nextEventSequence,
} from '../queries.ts';

const tag = 'Webhooks';
const path = '/v2/partner/webhook-subscriptions/{id}';

export const rotateWebhookSecret = endpoint({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/rotate-secret`,
  summary: 'Rotate the signing secret; the old one also signs until the overlap ends',
  description:
    'Creates a new signing secret, which is shown in this answer only. The old secret signs ' +
    'as well until the overlap ends, which is 24 hours unless the body names another time of ' +
    'at most seven days. A rotation whose overlap has not ended is refused with 409 unless ' +
    'force is true. Install the new secret before the overlap ends.',
  errors: ['rotation_in_progress'],
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  body: Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400 }),
      ),
      force: Type.Optional(Type.Boolean({ description: 'Ends a rotation that is under way' })),
    },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  response: Type.Object(
    {
      signing_secret: Type.String({ description: 'whsec_…; shown only here' }),
      previous_expires_at: Type.Optional(Timestamp('Until then the old secret signs too')),
    },
    { title: 'rotated_secret' },
  ),
  showsSecret: true,
  audit: 'webhook_subscription.secret_rotated',
  async handle({ sql, teamId, params: { id }, body, services }) {
    await lockSubscription(sql, teamId, id);
    const until = await findRotationEnd(sql, teamId, id);
    if (until !== undefined && !body.force) {
      throw fail('rotation_in_progress', {
        detail: 'The secret was rotated recently.',
        meta: { previous_expires_at: until },
      });
    }
    const { overlap_seconds = 86_400 } = body;
    const signing_secret = await insertSecret(sql, services.keyring, teamId, id, overlap_seconds);
    const previous_expires_at = await findRotationEnd(sql, teamId, id);
    return { signing_secret, previous_expires_at };
  },
});

/** A type of the catalog or of the team, which a test shows by an example. */
async function checkType(sql: Sql, teamId: string, name: string): Promise<EventType> {
  const type = await findTypeOfTeam(sql, teamId, name);
  if (type) return type;
  throw fail('invalid_event_type', {
    detail: 'No event type has this name.',
    meta: { pointer: '/event_type', allowed_prefixes: eventPrefixes() },
  });
}

export const testWebhookSubscription = endpoint({
  id: 'testWebhookSubscription',
  method: 'POST',
  path: `${path}/test`,
  summary: 'Send a test event to a subscription: one attempt, not counted in its health',
  description:
    'Sends a test event to this subscription alone. It is one attempt, which is not retried ' +
    'and does not count as a failure. The body is webhook.ping, or the example of the event ' +
    'type that the request names. Read the outcome at the delivery in the answer. An inactive ' +
    'or disabled subscription is refused with 409.',
  errors: ['subscription_disabled', 'subscription_inactive', 'invalid_event_type'],
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'execute',
  audit: 'webhook_subscription.tested',
  bodyExample: { event_type: 'contact.created' },
  body: Type.Object(
    {
      event_type: Type.Optional(
        Type.String({
          maxLength: 100,
          default: 'webhook.ping',
          description: 'A name of the catalog; the body is then its example',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  status: 202,
  response: WebhookDelivery,
  async handle({ sql, teamId, params: { id }, body: { event_type = 'webhook.ping' } }) {
    checkOn(await lockSubscription(sql, teamId, id));
    const type = await checkType(sql, teamId, event_type);
    const isPing = type === webhookPing;
    const itself = { id, type: 'webhook_subscription' };
    const eventId = recordEvent(sql, {
      teamId,
      type,
      only: id,
      ...(isPing ? { data: itself } : sampleOf(type, teamId)),
      sequence: isPing ? await nextEventSequence(sql, teamId, id) : 1,
    });
    if (await isHeldByRecovery(sql, teamId, id)) {
      await signalJob(sql, webhookRecoveryJob, id, teamId);
    }
    return requireEventDelivery(sql, teamId, id, eventId);
  },
});

export const webhookSubscriptionActionEndpoints = [rotateWebhookSecret, testWebhookSubscription];
