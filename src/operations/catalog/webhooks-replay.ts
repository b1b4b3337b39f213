import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { recordAudit } from '../../platform/http/audit.ts';
import { createSerializer } from '../../platform/http/response-serializer.ts';
import { requestReplay } from '../../webhooks/webhook-subscriptions/replays/request.ts';
import {
  WebhookReplay,
  replayOrder,
} from '../../webhooks/webhook-subscriptions/replays/webhook-replay.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const webhooksReplay = operation({
  kind: 'webhooks.replay',
  category: 'webhooks',
  summary: 'Replay deliveries of a webhook subscription, by id or by time window',
  notes: 'Returns the replay, which goes on by itself; its own endpoint shows its progress.',
  idempotencyMode: 'keyed',
  failureMode: 'transactional',
  executionMode: 'async',
  scopes: ['partner:webhooks:write'],
  rateLimitClass: 'execute',
  audit: { byHandler: 'webhook_replay.created' },
  input: Type.Object({ subscription_id: Id(), ...replayOrder }, { additionalProperties: false }),
  output: WebhookReplay,
  apply: oneByOne(async ({ sql, teamId, principal, trace }, item) => {
    const { subscription_id: id, ...order } = item;
    const row = await requestReplay(sql, teamId, id, order);
    recordAudit(sql, {
      action: 'webhook_replay.created',
      principal,
      trace,
      pathId: undefined,
      clean,
      body: {},
      before: undefined,
      after: row,
    });
    return { status: 'created', row };
  }),
});

const clean = createSerializer(WebhookReplay);
