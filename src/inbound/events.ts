import { eventType } from '../platform/events/event-type.ts';
import { InboundReplay } from './replays/inbound-replay.ts';
import { IncomingWebhookReceiver } from './incoming-webhook-receivers/incoming-webhook-receiver.ts';

export const incomingWebhookReceiverSignatureFailing = eventType(
  'incoming_webhook_receiver.signature_failing',
  'The proofs of ten calls in a row were refused; the receiver stays on.',
  IncomingWebhookReceiver,
);
export const incomingWebhookReceiverDisabled = eventType(
  'incoming_webhook_receiver.disabled',
  'A receiver was switched off by a client; calls answer 410 from then on.',
  IncomingWebhookReceiver,
  { since: '2026-11-25' },
);
export const inboundReplayCompleted = eventType(
  'inbound_replay.completed',
  'A replay of what came in at a receiver went through.',
  InboundReplay,
);
export const inboundReplayCanceled = eventType(
  'inbound_replay.canceled',
  'A replay was stopped by a client, or its receiver was deleted; what was replayed stays.',
  InboundReplay,
  { since: '2026-11-26' },
);
export const inboundReplayFailed = eventType(
  'inbound_replay.failed',
  'A replay was given up after many attempts; what was replayed stays.',
  InboundReplay,
  { since: '2026-11-26' },
);

export const inboundEvents = [
  incomingWebhookReceiverSignatureFailing,
  incomingWebhookReceiverDisabled,
  inboundReplayCompleted,
  inboundReplayCanceled,
  inboundReplayFailed,
];
